// Progress of one call: at most ten notifications a second, the newest message, nothing after the answer.

const INTERVAL_MS = 100;

export type SendProgress = (progress: number, message: string) => void;

export class ProgressSender {
  readonly #now: () => number;
  #send: SendProgress | undefined;
  #waiting: string | undefined;
  #timer: NodeJS.Timeout | undefined;
  #count = 0;
  #nextAt = 0;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Where progress goes from now on: to the request that waits for this run. Undefined while none does. */
  attach(send: SendProgress | undefined): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#waiting = undefined;
    this.#send = send;
  }

  report(message: string): void {
    if (this.#send === undefined) return;
    this.#waiting = message;
    if (this.#timer !== undefined) return;
    const wait = this.#nextAt - this.#now();
    if (wait <= 0) this.#flush();
    else {
      this.#timer = setTimeout(() => this.#flush(), wait);
      this.#timer.unref();
    }
  }

  #flush(): void {
    this.#timer = undefined;
    if (this.#waiting === undefined || this.#send === undefined) return;
    const message = this.#waiting;
    this.#waiting = undefined;
    this.#nextAt = this.#now() + INTERVAL_MS;
    this.#send(++this.#count, message);
  }
}

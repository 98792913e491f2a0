// The time that a call may take. It stands while a person is asked: thinking is not the command's time.

export class CallClock {
  #onExpired: () => void = () => undefined;
  #isExpired = false;
  #leftMs: number;
  #runningSince: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #pauses = 0;

  constructor(limitMs: number) {
    this.#leftMs = limitMs;
    this.#run();
  }

  get isExpired(): boolean {
    return this.#isExpired;
  }

  /** What is to be done when the time is up; at once where it is already. */
  whenExpired(then: () => void): void {
    this.#onExpired = then;
    if (this.#isExpired) then();
  }

  /** Overlapping pauses are counted. Returns what ends this one; calling it again does nothing. */
  pause(): () => void {
    this.#pauses += 1;
    if (this.#pauses === 1) this.#stand();
    let isPaused = true;
    return () => {
      if (!isPaused) return;
      isPaused = false;
      this.#pauses -= 1;
      if (this.#pauses === 0) this.#run();
    };
  }

  cancel(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs = Number.POSITIVE_INFINITY;
    this.#runningSince = undefined;
  }

  #run(): void {
    if (this.#leftMs === Number.POSITIVE_INFINITY) return;
    this.#runningSince = performance.now();
    this.#timer = setTimeout(() => {
      this.cancel();
      this.#isExpired = true;
      this.#onExpired();
    }, this.#leftMs);
  }

  #stand(): void {
    clearTimeout(this.#timer);
    if (this.#runningSince === undefined) return;
    this.#leftMs = Math.max(0, this.#leftMs - (performance.now() - this.#runningSince));
    this.#runningSince = undefined;
  }
}

// Bounds the requests in flight: servers that answer one request at a time queue without bound, and some of them
// stop reading when too much is queued. Control requests (terminate, signal) never wait here.

const MAX_IN_FLIGHT = 64;

export class CallSlots {
  #free = MAX_IN_FLIGHT;
  readonly #waiting: (() => void)[] = [];

  async run<T>(work: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#free++;
      else next();
    }
  }
}

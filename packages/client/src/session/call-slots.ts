// Bounds the requests in flight: servers that answer one request at a time queue without bound, and some of them
// stop reading when too much is queued. Control requests (terminate, signal) never wait here.

import { abortedError } from '../exec-server-error.js';

const MAX_IN_FLIGHT = 64;

export class CallSlots {
  #free = MAX_IN_FLIGHT;
  readonly #waiting = new Set<() => void>();

  async run<T>(
    work: () => Promise<T>,
    { signal }: { readonly signal?: AbortSignal | undefined },
  ): Promise<T> {
    if (this.#free > 0) this.#free--;
    else await this.#turn(signal);
    try {
      return await work();
    } finally {
      const [next] = this.#waiting;
      if (next === undefined) this.#free++;
      else next();
    }
  }

  /** First come, first served; an aborted call leaves the queue at once. */
  #turn(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        this.#waiting.delete(take);
        signal?.removeEventListener('abort', onAbort);
      };
      const take = (): void => {
        leave();
        resolve();
      };
      const onAbort = (): void => {
        leave();
        reject(abortedError('a request', signal?.reason, false));
      };
      this.#waiting.add(take);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }
}

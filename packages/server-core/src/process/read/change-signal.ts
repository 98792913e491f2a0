// A condition variable of one process: requests wait for "something changed". A waiter registers in the same turn in
// which it looked and found nothing, so that no change can fall between the look and the wait.

import { setMaxListeners } from 'node:events';
import type { Clock, Timer } from '@codex/exec-protocol';

export interface WaitOptions<T> {
  /** Looks at the state; anything but undefined ends the wait. Called at once and after every change. */
  readonly poll: () => T | undefined;
  /** What the wait ends with when the time is up. */
  readonly onTimeout: () => T;
  /** Undefined waits without end. */
  readonly timeoutMs: number | undefined;
  /** Ends the wait without a result: its connection is gone. */
  readonly signal: AbortSignal;
}

export class ChangeSignal {
  readonly #clock: Clock;
  readonly #waiters = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  notify(): void {
    if (this.#waiters.size === 0) return;
    for (const wake of [...this.#waiters]) wake();
  }

  /** Resolves with what `poll` finds, in the same turn where it finds it at once. */
  wait<T>({ poll, onTimeout, timeoutMs, signal }: WaitOptions<T>): T | Promise<T> {
    const found = poll();
    if (found !== undefined) return found;
    if (timeoutMs === 0 || signal.aborted) return onTimeout();
    return new Promise<T>((resolve, reject) => {
      let timer: Timer | undefined;
      const stop = (): void => {
        this.#waiters.delete(wake);
        timer?.cancel();
        signal.removeEventListener('abort', abandon);
      };
      const settle = (look: () => T | undefined): void => {
        try {
          const value = look();
          if (value === undefined) return;
          stop();
          resolve(value);
        } catch (error) {
          stop();
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      };
      const wake = (): void => settle(poll);
      const abandon = (): void => settle(onTimeout);
      // Every waiting request of a connection listens; that many listeners are no leak.
      setMaxListeners(0, signal);
      this.#waiters.add(wake);
      signal.addEventListener('abort', abandon, { once: true });
      if (timeoutMs !== undefined) timer = this.#clock.schedule(timeoutMs, () => settle(onTimeout));
    });
  }
}

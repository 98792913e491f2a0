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

/** Woken in one turn of the event loop. Each wake-up is a look, and mostly a reply. */
export const WAKES_PER_TURN = 16;

export interface ChangeSignalOptions {
  /** Beyond it the one that has waited longest ends as if its time was up. Unlimited where it is left out. */
  readonly maxWaiting?: number;
}

interface Waiter {
  /** Looks again. */
  wake(): void;
  endEarly(): void;
}

export class ChangeSignal {
  readonly #clock: Clock;
  readonly #maxWaiting: number;
  readonly #waiters = new Set<Waiter>();
  /** Where the wake-ups of the last change have got to; undefined when all have looked. */
  #round: Iterator<Waiter> | undefined;
  #hasChangedAgain = false;

  constructor(clock: Clock, { maxWaiting = Number.POSITIVE_INFINITY }: ChangeSignalOptions = {}) {
    this.#clock = clock;
    this.#maxWaiting = maxWaiting;
  }

  get waiting(): number {
    return this.#waiters.size;
  }

  /** The first waiters look at once, the others in later turns; changes meanwhile are one more round for all of them. */
  notify(): void {
    if (this.#waiters.size === 0) return;
    if (this.#round !== undefined) {
      this.#hasChangedAgain = true;
      return;
    }
    this.#round = this.#waiters.values();
    this.#wakeSome();
  }

  #wakeSome(): void {
    for (let count = 0; count < WAKES_PER_TURN; count += 1) {
      const next = this.#round?.next();
      if (next === undefined || next.done === true) {
        this.#endRound();
        return;
      }
      next.value.wake();
    }
    if (this.#waiters.size === 0) this.#endRound();
    else setImmediate(() => this.#wakeSome());
  }

  #endRound(): void {
    this.#round = undefined;
    if (!this.#hasChangedAgain) return;
    this.#hasChangedAgain = false;
    this.#round = this.#waiters.values();
    setImmediate(() => this.#wakeSome());
  }

  /** Resolves with what `poll` finds, in the same turn where it finds it at once. */
  wait<T>({ poll, onTimeout, timeoutMs, signal }: WaitOptions<T>): T | Promise<T> {
    const found = poll();
    if (found !== undefined) return found;
    if (timeoutMs === 0 || signal.aborted) return onTimeout();
    return new Promise<T>((resolve, reject) => {
      let timer: Timer | undefined;
      const stop = (): void => {
        this.#waiters.delete(waiter);
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
      const waiter = { wake: () => settle(poll), endEarly: () => settle(onTimeout) };
      const abandon = (): void => settle(onTimeout);
      // Every waiting request of a connection listens; that many listeners are no leak.
      setMaxListeners(0, signal);
      this.#add(waiter);
      signal.addEventListener('abort', abandon, { once: true });
      if (timeoutMs !== undefined) timer = this.#clock.schedule(timeoutMs, () => settle(onTimeout));
    });
  }

  #add(waiter: Waiter): void {
    const [oldest] = this.#waiters;
    if (this.#waiters.size >= this.#maxWaiting) oldest?.endEarly();
    this.#waiters.add(waiter);
  }
}

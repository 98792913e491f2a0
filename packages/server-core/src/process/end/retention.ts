// Ended processes stay readable for a while, the last so many of them, and their ids stay taken as long.
import type { Clock, Timer } from '../../clock.js';

export interface RetentionOptions<T> {
  readonly clock: Clock;
  readonly keepMs: number;
  readonly keepAtMost: number;
  readonly onExpired: (item: T) => void;
}

export class Retention<T> {
  readonly #options: RetentionOptions<T>;
  /** In the order in which they expire. */
  readonly #expiry = new Map<T, number>();
  #timer: Timer | undefined;
  #isPaused = false;

  constructor(options: RetentionOptions<T>) {
    this.#options = options;
  }

  get size(): number {
    return this.#expiry.size;
  }

  add(item: T): void {
    const { clock, keepMs, keepAtMost } = this.#options;
    this.#expiry.delete(item);
    this.#expiry.set(item, clock.now() + keepMs);
    const [oldest] = this.#expiry.keys();
    if (this.#expiry.size > keepAtMost && oldest !== undefined) this.#expire(oldest);
    this.#schedule();
  }

  delete(item: T): void {
    this.#expiry.delete(item);
  }

  /** Nobody is there to read: the time stands still. */
  pause(): void {
    this.#isPaused = true;
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** Somebody is back, and gets the whole time for everything that is still there. */
  resume(): void {
    this.#isPaused = false;
    for (const item of [...this.#expiry.keys()]) this.add(item);
  }

  clear(): void {
    this.pause();
    this.#expiry.clear();
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#isPaused) return;
    const [first] = this.#expiry.values();
    if (first === undefined) return;
    const delay = Math.max(0, first - this.#options.clock.now());
    this.#timer = this.#options.clock.schedule(delay, () => {
      this.#timer = undefined;
      this.#sweep();
    });
  }

  #sweep(): void {
    const now = this.#options.clock.now();
    for (const [item, expiresAt] of this.#expiry) {
      if (expiresAt > now) break;
      this.#expire(item);
    }
    this.#schedule();
  }

  #expire(item: T): void {
    this.#expiry.delete(item);
    this.#options.onExpired(item);
  }
}

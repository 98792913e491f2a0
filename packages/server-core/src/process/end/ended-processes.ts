// Keeps ended processes readable for a while, the last so many of them; their ids stay taken as long.
import type { Clock, Timer } from '@codex/exec-protocol';

export interface EndedProcessesOptions<T> {
  readonly clock: Clock;
  readonly keepMs: number;
  readonly keepAtMost: number;
  /** The client is known to have all of it: its time goes on when the client comes back, and does not begin again. */
  readonly isRead: (item: T) => boolean;
  readonly onExpired: (item: T) => void;
}

export class EndedProcesses<T> {
  readonly #options: EndedProcessesOptions<T>;
  /** In the order in which they expire. */
  readonly #expiry = new Map<T, number>();
  #timer: Timer | undefined;
  #pausedAt: number | undefined;

  constructor(options: EndedProcessesOptions<T>) {
    this.#options = options;
  }

  get size(): number {
    return this.#expiry.size;
  }

  /** What is there already keeps the time that it has left. */
  add(item: T): void {
    if (this.#expiry.has(item)) return;
    const { clock, keepMs, keepAtMost } = this.#options;
    this.#expiry.set(item, clock.now() + keepMs);
    const [oldest] = this.#expiry.keys();
    if (this.#expiry.size > keepAtMost && oldest !== undefined) this.#expire(oldest);
    this.#schedule();
  }

  delete(item: T): void {
    this.#expiry.delete(item);
  }

  /** No client is attached: the time stands still. */
  pause(): void {
    this.#pausedAt ??= this.#options.clock.now();
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  /** A client is back, and gets the whole time for what it may have missed, for the rest what was left. */
  resume(): void {
    const { clock, keepMs, isRead } = this.#options;
    const now = clock.now();
    const stoodStillMs = this.#pausedAt === undefined ? 0 : now - this.#pausedAt;
    this.#pausedAt = undefined;
    const kept = [...this.#expiry];
    this.#expiry.clear();
    const [read, missed] = [kept.filter(([item]) => isRead(item)), kept.filter(([item]) => !isRead(item))];
    for (const [item, expiresAt] of read) this.#expiry.set(item, expiresAt + stoodStillMs);
    for (const [item] of missed) this.#expiry.set(item, now + keepMs);
    this.#schedule();
  }

  clear(): void {
    this.pause();
    this.#expiry.clear();
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#pausedAt !== undefined) return;
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

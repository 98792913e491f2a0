// When a remote end that says nothing is asked, and when it counts as gone. The broker's own ping is no measure: an old
// broker takes what it sends to a frozen machine for a sign of its life.

export interface SilenceTimes {
  /** Ask after so long without a frame. */
  readonly askMs: number;
  /** Gone after so long. */
  readonly goneMs: number;
}

/** While something is awaited: bytes are unread, or a probe waits. A caller always waits for its machine. */
export const AWAITING: SilenceTimes = { askMs: 1000, goneMs: 4000 };
export const AT_REST: SilenceTimes = { askMs: 5000, goneMs: 12_000 };

/** How many times as long a remote end may be silent that cannot come back. */
const TOLERANCE = 6;

export type SilenceVerdict = 'fine' | 'ask' | 'gone';

/**
 * Counts by both clocks: a machine that was suspended finds that time has passed although its timers stood still. So
 * what was silent for it is given up when it wakes, before anything else is done.
 */
export class Silence {
  readonly #now: () => number;
  #heardAt: number;
  #heardWall = Date.now();
  /** The first and the last question since the remote end was heard. */
  #firstAskedAt: number | undefined;
  #lastAskedAt: number;
  #tolerance = 1;

  constructor(now: () => number) {
    this.#now = now;
    this.#heardAt = now();
    this.#lastAskedAt = this.#heardAt;
  }

  /** When the remote end was last heard, as epoch milliseconds. */
  get heardWall(): number {
    return this.#heardWall;
  }

  /** For a remote end that cannot come back. */
  tolerate(): void {
    this.#tolerance = TOLERANCE;
  }

  heard(): void {
    this.#heardAt = this.#now();
    this.#heardWall = Date.now();
    this.#lastAskedAt = this.#heardAt;
    this.#firstAskedAt = undefined;
  }

  asked(): void {
    this.#lastAskedAt = this.#now();
    this.#firstAskedAt ??= this.#lastAskedAt;
  }

  /** This program itself did not listen for a while: what was asked before may be answered and not read yet. */
  forgive(): void {
    this.#firstAskedAt = undefined;
  }

  judge(isAwaiting: boolean): SilenceVerdict {
    const now = this.#now();
    const silentMs = Math.max(now - this.#heardAt, Date.now() - this.#heardWall);
    if (silentMs >= AT_REST.goneMs * this.#tolerance) return 'gone';
    // The shorter time counts only against a remote end that was asked and had the time to answer.
    const owedMs = this.#firstAskedAt === undefined ? 0 : now - this.#firstAskedAt;
    if (isAwaiting && owedMs >= (AWAITING.goneMs - AWAITING.askMs) * this.#tolerance) return 'gone';
    const { askMs } = isAwaiting ? AWAITING : AT_REST;
    return now - this.#lastAskedAt >= askMs ? 'ask' : 'fine';
  }
}

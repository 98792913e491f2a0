// When a remote end that says nothing is asked, and when it counts as gone. The broker's own ping is no measure: an old
// broker takes what it sends to a frozen machine for a sign of its life.

export interface SilenceTimes {
  /** Ask after so long without a frame. */
  readonly askMs: number;
  /** Gone after so long. */
  readonly goneMs: number;
}

/** While something is awaited: bytes are unread, or a probe waits. A caller always waits for its machine. */
export const AWAITING: SilenceTimes = { askMs: 700, goneMs: 4000 };
export const AT_REST: SilenceTimes = { askMs: 5000, goneMs: 12_000 };
/** After a step of the wall clock the remote end has so long to answer. */
export const DOUBT_MS = 3000;

/** How many times as long a remote end may be silent that cannot come back. */
const TOLERANCE = 6;

export type SilenceVerdict = 'fine' | 'ask' | 'gone';

/**
 * Counts by the time that has passed for certain. A step of the wall clock may mean that this machine was paused for so
 * long, or that its time was wrong: the remote end is asked, and only an answer to that question is a sign of life.
 */
export class Silence {
  readonly #now: () => number;
  #heardAt: number;
  #heardWall = Date.now();
  /** The first and the last question since the remote end was heard. */
  #firstAskedAt: number | undefined;
  #lastAskedAt: number;
  #question = 0;
  #doubt: { readonly since: number; readonly question: number } | undefined;
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

  get silentMs(): number {
    return this.#now() - this.#heardAt;
  }

  /** For a remote end that cannot come back. */
  tolerate(): void {
    this.#tolerance = TOLERANCE;
  }

  heard(): void {
    if (this.#doubt !== undefined) return;
    this.#heardAt = this.#now();
    this.#heardWall = Date.now();
    this.#lastAskedAt = this.#heardAt;
    this.#firstAskedAt = undefined;
  }

  /** The number of the question. */
  asked(): number {
    this.#lastAskedAt = this.#now();
    this.#firstAskedAt ??= this.#lastAskedAt;
    this.#question = (this.#question + 1) >>> 0;
    return this.#question;
  }

  /** How long the answer took, for an answer to the last question. */
  answered(question: number): number | undefined {
    const roundTripMs = question === this.#question ? this.#now() - this.#lastAskedAt : undefined;
    if (this.#doubt !== undefined && question - this.#doubt.question > 0) this.#doubt = undefined;
    this.heard();
    return roundTripMs;
  }

  /** The wall clock was set. Backwards it was wrong before; forwards either may be true. */
  stepped(stepMs: number): void {
    if (stepMs > 0) this.#doubt ??= { since: this.#now(), question: this.#question };
    else this.#heardWall += stepMs;
  }

  /** This program itself did not listen for a while: what was asked before may be answered and not read yet. */
  forgive(): void {
    this.#firstAskedAt = undefined;
  }

  judge(isAwaiting: boolean): SilenceVerdict {
    const now = this.#now();
    if (this.silentMs >= AT_REST.goneMs * this.#tolerance) return 'gone';
    if (this.#doubt !== undefined) {
      if (now - this.#doubt.since >= DOUBT_MS) return 'gone';
      return this.#question === this.#doubt.question ? 'ask' : 'fine';
    }
    // The shorter time counts only against a remote end that was asked and had the time to answer.
    const owedMs = this.#firstAskedAt === undefined ? 0 : now - this.#firstAskedAt;
    if (isAwaiting && owedMs >= (AWAITING.goneMs - AWAITING.askMs) * this.#tolerance) return 'gone';
    const { askMs } = isAwaiting ? AWAITING : AT_REST;
    return now - this.#lastAskedAt >= askMs ? 'ask' : 'fine';
  }
}

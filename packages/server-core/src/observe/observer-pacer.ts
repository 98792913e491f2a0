// Limits the rate of observers: their requests take at most a fifth of the server's time, all observers together. A burst
// (FREE_MS) is answered at once; beyond that their requests wait, in order, and those of owners do not.
import type { Clock } from '@codex/exec-protocol';

/** Each millisecond of work has to be followed by so many without. */
const REST_PER_WORK = 4;
/** The burst that is answered without a wait: a page that opens asks for several things. */
const FREE_MS = 100;

export class ObserverPacer {
  readonly #clock: Clock;
  readonly #now: () => number;
  readonly #waiting: (() => void)[] = [];
  #owedMs = 0;
  #owedAt: number;
  #isWaiting = false;

  constructor(clock: Clock, now: () => number = () => performance.now()) {
    this.#clock = clock;
    this.#now = now;
    this.#owedAt = now();
  }

  /** Runs the work now, or when it is its turn. What it does behind its first await is not counted: it runs that in turns. */
  run<Result>(work: () => Result): Result | Promise<Awaited<Result>> {
    if (this.#waiting.length === 0 && this.#owed() <= FREE_MS) return this.#work(work);
    return new Promise((resolve) => {
      this.#waiting.push(() => {
        // What it throws or rejects with goes to who asked.
        resolve(new Promise<Awaited<Result>>((settle) => settle(this.#work(work) as Awaited<Result>)));
      });
      this.#wait();
    });
  }

  #work<Result>(work: () => Result): Result {
    const begin = this.#now();
    try {
      return work();
    } finally {
      // The time of the work itself has just been taken off.
      this.#owedMs = this.#owed() + (this.#now() - begin) * (REST_PER_WORK + 1);
    }
  }

  #owed(): number {
    const now = this.#now();
    this.#owedMs = Math.max(0, this.#owedMs - (now - this.#owedAt));
    this.#owedAt = now;
    return this.#owedMs;
  }

  #wait(): void {
    if (this.#isWaiting) return;
    this.#isWaiting = true;
    this.#clock.schedule(Math.max(1, this.#owed() - FREE_MS), () => {
      this.#isWaiting = false;
      while (this.#waiting.length > 0 && this.#owed() <= FREE_MS) this.#waiting.shift()?.();
      if (this.#waiting.length > 0) this.#wait();
    });
  }
}

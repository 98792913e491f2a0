// Decides whether small changes of a directory may be made on the event loop itself. The trip through the thread pool
// costs more than the change as long as the disk answers at once; when it does not, the call blocks every request of
// this loop. So every such change is timed: a slow one sends the following ones to the pool, with exponential backoff. A change
// that took long without a wait was interrupted: other processes wanted the processor, and the pool would have to share it too.
// What it does not stop: the one call that finds out blocks the loop for as long as the disk does.

const SLOW_MS = 3;
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export class QuickDisk {
  readonly #now: () => number;
  readonly #waits: () => number;
  #pauseMs = SHORTEST_PAUSE_MS;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  /** `waits` counts how often this process has given up the processor to wait for something, in all of its threads. */
  constructor(now: () => number = () => performance.now(), waits = voluntarySwitches) {
    this.#now = now;
    this.#waits = waits;
  }

  /** True when the change was made; false: it may be half made, and the long way completes it or says why not. */
  change(act: () => void): boolean {
    const start = this.#now();
    if (start < this.#pausedUntil) return false;
    const waits = this.#waits();
    try {
      act();
      return true;
    } catch {
      return false;
    } finally {
      this.#account(start, waits);
    }
  }

  #account(start: number, waits: number): void {
    const end = this.#now();
    if (end - start <= SLOW_MS || this.#waits() === waits) {
      this.#pauseMs = SHORTEST_PAUSE_MS;
      return;
    }
    this.#pausedUntil = end + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

function voluntarySwitches(): number {
  return process.resourceUsage().voluntaryContextSwitches;
}

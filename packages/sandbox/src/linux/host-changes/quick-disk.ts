// Decides whether small changes of a directory may be made on the event loop itself. The trip through the thread pool
// costs more than the change as long as the disk answers at once; when it does not, the call blocks every request of
// this loop. So every such change is timed: a slow one sends the following ones to the pool, with exponential backoff. Time
// in which this thread could have run and others had the processor does not count: the pool would have to wait for it too.
// What it does not stop: the one call that finds out blocks the loop for as long as the disk does.

import { Buffer } from 'node:buffer';
import { openSync, readSync } from 'node:fs';

const SLOW_MS = 3;
const SHORTEST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;

export class QuickDisk {
  readonly #now: () => number;
  readonly #delayMs: () => number;
  #pauseMs = SHORTEST_PAUSE_MS;
  #pausedUntil = Number.NEGATIVE_INFINITY;

  /** `delayMs`: how long this thread has waited for a processor, since it began. */
  constructor(now: () => number = () => performance.now(), delayMs = processorDelay()) {
    this.#now = now;
    this.#delayMs = delayMs;
  }

  /** True when the change was made; false: it may be half made, and the long way completes it or says why not. */
  change(act: () => void): boolean {
    const start = this.#now();
    if (start < this.#pausedUntil) return false;
    const delayMs = this.#delayMs();
    try {
      act();
      return true;
    } catch {
      return false;
    } finally {
      this.#account(start, delayMs);
    }
  }

  #account(start: number, delayMs: number): void {
    const end = this.#now();
    if (end - start <= SLOW_MS || end - start - (this.#delayMs() - delayMs) <= SLOW_MS) {
      this.#pauseMs = SHORTEST_PAUSE_MS;
      return;
    }
    this.#pausedUntil = end + this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
  }
}

/** From the kernel's account of the thread that asks first; nothing where there is none. Its file is opened once and kept. */
function processorDelay(): () => number {
  let file: number | undefined;
  const text = Buffer.alloc(128);
  return () => {
    try {
      file ??= openSync('/proc/thread-self/schedstat', 'r');
      // Nanoseconds on a processor, nanoseconds in wait for one, number of times.
      const [, delay] = text.toString('latin1', 0, readSync(file, text, 0, text.length, 0)).split(' ');
      return Number(delay) / 1e6;
    } catch {
      return 0;
    }
  };
}

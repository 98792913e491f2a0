// lstat without a trip through the thread pool, which costs ten times what the call itself does. It runs on the event
// loop, so it is used only where it cannot hold it up: on local file systems, for a few milliseconds per turn, and not
// for a while after a call that was slow (a cold or busy disk). See docs/decisions/0021-file-calls.md.
// What it does not stop: one call to a local disk that hangs holds the loop for as long as the disk does.
import * as fs from 'node:fs';
import { isSystemPlace, MountTable } from './mount-table.js';
import type { NativePath } from './native-path.js';

const TURN_BUDGET_MS = 8;
const SLOW_CALL_MS = 10;
const PAUSE_AFTER_SLOW_MS = 100;

export class QuickStat {
  readonly #mounts = new MountTable();
  #spentMs = 0;
  #pausedUntil = 0;
  #isTurnOpen = false;

  /** Reads the mount table, so that the first requests can be quick. */
  prepare(): void {
    this.#mounts.refresh(performance.now());
  }

  /** The stats, `missing` when there is nothing of that name, or undefined when the caller has to ask another way. */
  lstat(path: NativePath): fs.Stats | 'missing' | undefined {
    const start = performance.now();
    if (typeof path !== 'string' || !this.#isAllowed(path, start)) return undefined;
    try {
      return fs.lstatSync(path, { throwIfNoEntry: false }) ?? 'missing';
    } catch {
      // The other way gives the same failure, with its error made in one place.
      return undefined;
    } finally {
      this.#account(start);
    }
  }

  #isAllowed(path: string, now: number): boolean {
    if (this.#spentMs >= TURN_BUDGET_MS || now < this.#pausedUntil) return false;
    return this.#mounts.isLocal(now) && !isSystemPlace(path);
  }

  #account(start: number): void {
    const now = performance.now();
    const spent = now - start;
    this.#spentMs += spent;
    if (spent > SLOW_CALL_MS) this.#pausedUntil = now + PAUSE_AFTER_SLOW_MS;
    if (this.#isTurnOpen) return;
    this.#isTurnOpen = true;
    setImmediate(() => {
      this.#isTurnOpen = false;
      this.#spentMs = 0;
    });
  }
}

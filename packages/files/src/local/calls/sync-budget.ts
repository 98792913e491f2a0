// Small file calls made on the event loop itself, without the trip through the thread pool that costs many times what
// the calls do. Allowed only where they cannot hold the loop up: on local file systems, for a few milliseconds per
// turn, and not for a while after a call that was slow (a cold or busy disk). See docs/decisions/0013-file-calls.md.
// What it does not stop: one call to a local disk that hangs holds the loop for as long as the disk does.

import type { NativePath } from '../../native-path.js';
import { isSystemPlace, MountTable } from './mount-table.js';
import type { SyncGate } from './sync-calls.js';

const TURN_BUDGET_MS = 8;
const SLOW_CALL_MS = 10;
const PAUSE_AFTER_SLOW_MS = 100;

export class SyncBudget implements SyncGate {
  readonly #mounts: Pick<MountTable, 'isLocal' | 'refresh'>;
  #spentMs = 0;
  #pausedUntil = 0;
  #isTurnOpen = false;

  constructor(mounts: Pick<MountTable, 'isLocal' | 'refresh'> = new MountTable()) {
    this.#mounts = mounts;
  }

  /** Reads the mount table, so that the first requests can be answered synchronously. */
  prepare(): void {
    this.#mounts.refresh(performance.now());
  }

  run<T>(path: NativePath, act: (path: string) => T): T | undefined {
    const start = performance.now();
    if (typeof path !== 'string' || !this.#isOpen(path, start)) return undefined;
    try {
      return act(path);
    } catch {
      return undefined;
    } finally {
      this.#account(start);
    }
  }

  #isOpen(path: string, now: number): boolean {
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

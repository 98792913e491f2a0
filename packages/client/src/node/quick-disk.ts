// Small calls to the local disk, made on the event loop without the trip through the thread pool that costs many times what
// they do; a tree has thousands of them. Allowed where they cannot hold the program up: on a local file system, for a few
// milliseconds per turn, and not for a while after calls that were slow (a cold or busy disk).
// What it does not stop: one call to a local disk that hangs holds the program for as long as the disk does.

import { lstat, statfs } from 'node:fs/promises';

/** What `statfs` says on Linux: ext, XFS, Btrfs, F2FS, ZFS, bcachefs, tmpfs, overlay. */
const LOCAL_TYPES: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0xf2f52010, 0x2fc12fc1, 0xca451a4e, 0x01021994, 0x794c7630,
]);

const SLICE_MS = 3;
const SLOW_CALL_MS = 10;
/** Longer than a trip through the thread pool, which makes several at once. */
const SLOW_AVERAGE_MS = 0.25;
/** The average is that of about so many. */
const CALLS_THAT_COUNT = 16;
/** More says that the program had to wait for a processor. A few such say nothing about the disk. */
const MOST_THAT_COUNTS_MS = 1;
const PAUSE_MS = 100;

/** What all transfers of this program take of a turn of its event loop. */
export class TurnShare {
  #spentMs = 0;
  #averageMs = 0;
  #pausedUntil = Number.NEGATIVE_INFINITY;
  #nextTurn: Promise<void> | undefined;

  /** The result of `act`; undefined when it has to be done the long way, which fails as `act` did. */
  async run<T>(act: () => T): Promise<T | undefined> {
    while (this.isUsedUp) await this.nextTurn();
    return this.runNow(act);
  }

  /** To be asked before `runNow`: the next call has to wait for the next turn. */
  get isUsedUp(): boolean {
    return this.#spentMs >= SLICE_MS;
  }

  async nextTurn(): Promise<void> {
    await this.#nextTurn;
  }

  /** `run` without a promise for each call. */
  runNow<T>(act: () => T): T | undefined {
    const begin = performance.now();
    if (begin < this.#pausedUntil) return undefined;
    try {
      return act();
    } catch {
      return undefined;
    } finally {
      this.#account(begin);
    }
  }

  #account(begin: number): void {
    const now = performance.now();
    const spent = now - begin;
    this.#spentMs += spent;
    this.#averageMs += (Math.min(spent, MOST_THAT_COUNTS_MS) - this.#averageMs) / CALLS_THAT_COUNT;
    if (spent > SLOW_CALL_MS || this.#averageMs > SLOW_AVERAGE_MS) {
      this.#pausedUntil = now + PAUSE_MS;
      this.#averageMs = 0;
    }
    this.#nextTurn ??= new Promise((resolve) =>
      setImmediate(() => {
        this.#spentMs = 0;
        this.#nextTurn = undefined;
        resolve();
      }),
    );
  }
}

const share = new TurnShare();

export class QuickDisk {
  readonly #device: number | undefined;

  private constructor(device: number | undefined) {
    this.#device = device;
  }

  /** `directory` is there. */
  static async of(directory: string): Promise<QuickDisk> {
    if (process.platform !== 'linux') return new QuickDisk(undefined);
    const found = await Promise.all([statfs(directory), lstat(`${directory}/.`)]).catch(() => undefined);
    const isLocal = found !== undefined && LOCAL_TYPES.has(found[0].type);
    return new QuickDisk(isLocal ? found[1].dev : undefined);
  }

  get isLocal(): boolean {
    return this.#device !== undefined;
  }

  /** Whether what lies on that device does. Another one is mounted below, and may be remote. */
  has(device: number): boolean {
    return this.#device === device;
  }

  /** For what lies on a quick disk. */
  static run<T>(act: () => T): Promise<T | undefined> {
    return share.run(act);
  }

  static get isTurnOver(): boolean {
    return share.isUsedUp;
  }

  static nextTurn(): Promise<void> {
    return share.nextTurn();
  }

  static runNow<T>(act: () => T): T | undefined {
    return share.runNow(act);
  }
}

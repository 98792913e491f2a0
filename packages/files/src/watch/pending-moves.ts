// Entries that were moved away and whose arrival may follow: the kernel tells a move as two events with one cookie.
import type { NativePath } from '../native-path.js';
import type { WatchedDirectory } from './watched-directory.js';

export interface PendingMove {
  readonly path: NativePath;
  /** Watched, when a watched directory was moved. */
  readonly directory: WatchedDirectory | undefined;
  /** Something happened in it while its place was not known. */
  hasMissed: boolean;
}

/** The arrival follows at once, or it was a move out of the tree. */
const WAIT_MS = 100;

export class PendingMoves {
  readonly #byCookie = new Map<number, PendingMove>();
  readonly #onGone: (directory: WatchedDirectory) => void;

  /** `onGone`: a directory has not arrived anywhere. */
  constructor(onGone: (directory: WatchedDirectory) => void) {
    this.#onGone = onGone;
  }

  depart(cookie: number, path: NativePath, directory: WatchedDirectory | undefined): void {
    this.#byCookie.set(cookie, { path, directory, hasMissed: false });
    setTimeout(() => {
      const moved = this.arrive(cookie)?.directory;
      if (moved !== undefined) this.#onGone(moved);
    }, WAIT_MS).unref();
  }

  arrive(cookie: number): PendingMove | undefined {
    const move = this.#byCookie.get(cookie);
    this.#byCookie.delete(cookie);
    return move;
  }

  /** An event came from a directory without a place; which move it belongs to is not worth finding out. */
  missed(): void {
    for (const move of this.#byCookie.values()) move.hasMissed = true;
  }
}

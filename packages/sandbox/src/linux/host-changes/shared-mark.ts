// One mark under several names. The mount points of one command mostly lie in one directory; to give the mark of the first a second
// name takes a third of the time of making another one, and on a file system that does not use freed numbers again at once much less.
import { linkSync, symlinkSync } from 'node:fs';
import type { HeldDirectory } from './held-directory.js';
import { markTarget, ownMark } from './mount-point-marks.js';

export class SharedMark {
  #first: HeldDirectory | undefined;
  #isClosed = false;

  /** Leaves a mark of this process in the directory, which is this object's to close from here on. */
  leaveIn(made: HeldDirectory): void {
    const mark = ownMark();
    try {
      if (this.#first === undefined || !isLinked(this.#first.entry(mark), made.entry(mark)))
        symlinkSync(markTarget, made.entry(mark));
    } catch (error) {
      made.close();
      throw error;
    }
    if (this.#first === undefined && !this.#isClosed) this.#first = made;
    else made.close();
  }

  /** A mark that is left later has one name. */
  close(): void {
    this.#isClosed = true;
    this.#first?.close();
    this.#first = undefined;
  }
}

/** False where that is not possible: another file system, one without such links, or the first is gone. */
function isLinked(mark: string, name: string): boolean {
  try {
    linkSync(mark, name);
    return true;
  } catch {
    return false;
  }
}

// Removes a file or a tree by descriptors: every directory is opened by one name inside an open one, without following a
// link, so a directory that is swapped for a link meanwhile is unlinked and never entered. In slices: a command can leave
// a million files.
import type { Buffer } from 'node:buffer';
import { chmodSync, type Dir, opendirSync, renameSync, rmdirSync, unlinkSync } from 'node:fs';
import { TimeSlices } from '../locate/time-slices.js';
import type { HeldDirectory } from './held-directory.js';

/** Each level holds a descriptor. What lies deeper is moved up and removed by the next sweep. */
const maxLevels = 32;
/** A tree that another process keeps filling is given up after this many sweeps, with the error of its rmdir. */
const maxSweeps = 1000;

export async function removeTree(directory: HeldDirectory, name: string): Promise<void> {
  if (unlinked(directory, name)) return;
  const removal = new Removal();
  for (let sweep = 1; ; sweep += 1) {
    const top = directory.child(name);
    try {
      await removal.sweep(top);
    } finally {
      top.close();
    }
    try {
      rmdirSync(directory.entry(name));
      return;
    } catch (error) {
      const code = codeOf(error);
      if (code === 'ENOENT') return;
      if (sweep === maxSweeps || (code !== 'ENOTEMPTY' && code !== 'EEXIST')) throw error;
    }
  }
}

class Removal {
  readonly #slices = new TimeSlices();
  #top: HeldDirectory | undefined;
  #movedUp = 0;

  sweep(top: HeldDirectory): Promise<void> {
    this.#top = top;
    return this.#clear(top, 1);
  }

  async #clear(directory: HeldDirectory, level: number): Promise<void> {
    // A command that takes its own rights away does not keep its files that way.
    if ((directory.mode & 0o700) !== 0o700) chmodSync(directory.self, 0o700);
    const listing = opendirSync(directory.self, { encoding: 'buffer' as BufferEncoding });
    try {
      for (let name = nextName(listing); name !== undefined; name = nextName(listing)) {
        if (this.#slices.isOver) await this.#slices.next();
        if (!unlinked(directory, name)) await this.#removeDirectory(directory, name, level);
      }
    } finally {
      listing.closeSync();
    }
  }

  async #removeDirectory(directory: HeldDirectory, name: Buffer, level: number): Promise<void> {
    try {
      if (level >= maxLevels && this.#top !== undefined) {
        this.#movedUp += 1;
        renameSync(directory.entry(name), this.#top.entry(`moved-up-${process.pid}-${this.#movedUp}`));
        return;
      }
      const child = directory.child(name);
      try {
        await this.#clear(child, level + 1);
      } finally {
        child.close();
      }
      rmdirSync(directory.entry(name));
    } catch (error) {
      // It has become something else, or has been filled again: the next sweep finds it.
      if (!['ENOENT', 'ENOTDIR', 'ENOTEMPTY', 'EEXIST', 'ELOOP'].includes(codeOf(error) ?? '')) throw error;
    }
  }
}

function nextName(listing: Dir): Buffer | undefined {
  // With the encoding `buffer` names are bytes, which the types do not know.
  return listing.readSync()?.name as unknown as Buffer | undefined;
}

/** False for a directory. */
function unlinked(directory: HeldDirectory, name: string | Buffer): boolean {
  try {
    unlinkSync(directory.entry(name));
    return true;
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT') return true;
    if (code === 'EISDIR' || code === 'EPERM') return false;
    throw error;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

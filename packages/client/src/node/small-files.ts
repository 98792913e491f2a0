// Small files in as few calls as they take, on the event loop: see quick-disk.ts for when that may be done.

import { Buffer } from 'node:buffer';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  futimesSync,
  openSync,
  readSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import type { TreeEntry } from '@codex/exec-protocol';
import { ExecServerError } from '../exec-server-error.js';
import type { NewFile } from './create-file.js';
import { fileTime, PERMISSIONS } from './local-file-steps.js';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = constants;

/** What is larger takes longer than the trip through the thread pool. */
export const SMALL_FILE_BYTES = 64 * 1024;

/** That of several messages of small files. */
const SLAB_BYTES = 1024 * 1024;

/** Where the next small file is read to: one behind the other, so that those of a message need not be put together. */
let slab: Buffer = Buffer.alloc(0);
let taken = 0;

/**
 * A file that was seen to be a regular one of `size` bytes. Undefined unless it has as many, and not none: an empty one may be a
 * file whose size is not known.
 */
export function readSmallFile(place: string, size: number): Uint8Array | undefined {
  if (size === 0 || size > SMALL_FILE_BYTES) return undefined;
  if (taken + size >= slab.length) {
    slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
    taken = 0;
  }
  const fd = openSync(place, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    // One that has become longer shows in one byte more.
    if (readSync(fd, slab, taken, size + 1, null) !== size) return undefined;
    taken += size;
    return slab.subarray(taken - size, taken);
  } finally {
    closeSync(fd);
  }
}

/**
 * Makes a file where there is nothing of that name, not even a link; the umask takes its bits of the mode. One that did not
 * become whole is removed.
 */
export function createSmallFile(place: string, { mode, bytes, modifiedAtMs }: NewFile): void {
  const fd = openSync(place, 'wx', mode);
  try {
    if (bytes.length > 0 && writeSync(fd, bytes) !== bytes.length) throw notWhole(place);
    if (modifiedAtMs !== undefined) futimesSync(fd, fileTime(modifiedAtMs), fileTime(modifiedAtMs));
  } catch (error) {
    unlinkSync(place);
    throw error;
  } finally {
    closeSync(fd);
  }
}

/** Replaces whatever stands there, also a link. `partial` lies beside it: under its name a file is whole, also after a kill. */
export function writeSmallFile(place: string, partial: string, file: NewFile): true {
  createSmallFile(partial, file);
  try {
    renameSync(partial, place);
    return true;
  } catch (error) {
    unlinkSync(partial);
    throw error;
  }
}

/** Of a directory. Only takes bits of its mode away: the umask has taken its own when it was made. */
export function setAttributesSync(directory: string, { mode, modifiedAtMs }: TreeEntry): true {
  const fd = openSync(directory, O_RDONLY | O_DIRECTORY);
  try {
    const found = fstatSync(fd).mode & PERMISSIONS;
    if (mode !== undefined && (found & mode) !== found) fchmodSync(fd, found & mode);
    if (modifiedAtMs !== undefined) futimesSync(fd, fileTime(modifiedAtMs), fileTime(modifiedAtMs));
    return true;
  } finally {
    closeSync(fd);
  }
}

function notWhole(path: string): ExecServerError<'fs.io'> {
  return new ExecServerError('fs.io', `${path}: not all of it could be written`, { details: { path } });
}

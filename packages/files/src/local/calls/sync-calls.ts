// The file calls that may run synchronously: looking at one path, and reading or overwriting one small file.
import { Buffer } from 'node:buffer';
import * as fs from 'node:fs';
import type { NativePath } from '../../native-path.js';
import { SMALL_FILE_BYTES } from '../../small-file.js';
import { type FileGuard, NO_GUARD } from './file-guard.js';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;

const PERMISSIONS = 0o777;

/** When a synchronous call is allowed. */
export interface SyncGate {
  /**
   * The result of `act`, or undefined when the caller has to go the long way: the gate is closed, or `act` failed.
   * The long way fails in the same manner, and makes the error in one place.
   */
  run<T>(path: NativePath, act: (path: string) => T): T | undefined;
}

export interface NewFile {
  readonly bytes: Uint8Array;
  readonly mode: number;
  /**
   * Undefined: the umask may take bits of the mode. Otherwise the modes that new files of this directory were seen to get as
   * they are; any other is set, and added when it need not have been.
   */
  readonly exactModes: Set<number> | undefined;
  readonly modifiedAtMs?: number | undefined;
}

export interface FilePart {
  readonly target: Uint8Array;
  readonly position: number;
}

/**
 * Seconds lose the last bits of a millisecond, and what is left is cut, not rounded. A number below zero would be the present
 * to Node; a date before 1970 is one.
 */
export function fileTime(milliseconds: number): number | Date {
  return milliseconds < 0 ? new Date(milliseconds) : (milliseconds + 0.0005) / 1000;
}

function createSmallFile(place: NativePath, { bytes, mode, exactModes, modifiedAtMs }: NewFile): boolean {
  const fd = fs.openSync(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
  try {
    if (exactModes?.has(mode) === false) {
      if ((fs.fstatSync(fd).mode & PERMISSIONS) === mode) exactModes.add(mode);
      else fs.fchmodSync(fd, mode);
    }
    if (bytes.byteLength > 0 && fs.writeSync(fd, bytes) !== bytes.byteLength) return false;
    if (modifiedAtMs !== undefined) fs.futimesSync(fd, fileTime(modifiedAtMs), fileTime(modifiedAtMs));
    return true;
  } finally {
    fs.closeSync(fd);
  }
}

export class SyncCalls {
  readonly #gate: SyncGate;
  readonly #guard: FileGuard;

  constructor(gate: SyncGate, guard: FileGuard) {
    this.#gate = gate;
    this.#guard = guard;
  }

  /** `missing` when there is nothing of that name; undefined when the long way has to be taken. */
  lstat(path: NativePath): fs.Stats | 'missing' | undefined {
    // Under a policy a look at a name is more than one call: it takes the long way.
    if (this.#guard !== NO_GUARD) return undefined;
    return this.#gate.run(path, (text) => fs.lstatSync(text, { throwIfNoEntry: false }) ?? 'missing');
  }

  /** Undefined for everything but a small regular file that is reached without a link in its last component. */
  readFile(path: NativePath): Buffer | undefined {
    return this.#gate.run(path, (text) => this.#readSmallFile(text));
  }

  /**
   * True when the bytes are all of the file now. False: the long way has to be taken, which overwrites what may have been
   * written so far. Only for an existing regular file, reached as above, and at most so many bytes that the long way
   * overwrites in place too, which it does with more (write-file.ts).
   */
  overwrite(path: NativePath, bytes: Uint8Array): boolean {
    if (bytes.byteLength === 0 || bytes.byteLength > SMALL_FILE_BYTES) return false;
    return this.#gate.run(path, (text) => this.#overwriteSmallFile(text, bytes)) === true;
  }

  /**
   * True when there is a new file at `place`, an entry of a directory that is held below `root`, which decides whether the
   * call may be made. False: the long way has to be taken, and finds the file as far as it came.
   */
  create(root: NativePath, place: NativePath, file: NewFile): boolean {
    if (file.bytes.byteLength > SMALL_FILE_BYTES) return false;
    return this.run(root, () => createSmallFile(place, file)) === true;
  }

  /**
   * A look at an entry of a directory that is held open; `path` is where it lies, which decides whether the call may be made.
   * Undefined: the long way has to be taken.
   */
  lookAt(path: NativePath, place: NativePath): fs.Stats | undefined {
    return this.run(path, () => fs.lstatSync(place));
  }

  /**
   * True when all of `target` is what a regular file has from `position` on, an entry as for `lookAt` that was seen to be one.
   * False: the long way has to be taken.
   */
  readAt(path: NativePath, place: NativePath, part: FilePart): boolean {
    if (part.target.byteLength > SMALL_FILE_BYTES) return false;
    return this.run(path, () => readPart(place, part)) === true;
  }

  /**
   * Calls that concern what lies at `path`, such as those of transfer/quick-entries.ts. Undefined: the long way has to be taken,
   * whatever came of them. Not under a policy, where each call is judged.
   */
  run<T>(path: NativePath, act: () => T): T | undefined {
    return this.#guard === NO_GUARD ? this.#gate.run(path, act) : undefined;
  }

  /** Closing a directory is always a small call. False: the long way has to be taken. */
  closeDirectory(fd: number): boolean {
    const close = (): true => {
      fs.closeSync(fd);
      return true;
    };
    return this.run('/', close) === true;
  }

  #overwriteSmallFile(path: string, bytes: Uint8Array): boolean {
    if (fs.lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
    const fd = fs.openSync(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW);
    try {
      this.#guard.checkWritable(fd);
      const stats = fs.fstatSync(fd);
      if (!stats.isFile() || fs.writeSync(fd, bytes) !== bytes.byteLength) return false;
      if (stats.size > bytes.byteLength) fs.ftruncateSync(fd, bytes.byteLength);
      return true;
    } finally {
      fs.closeSync(fd);
    }
  }

  #readSmallFile(path: string): Buffer | undefined {
    // Nothing but a regular file is ever opened here: an open of a device may do things.
    if (!isSmallFile(fs.lstatSync(path, { throwIfNoEntry: false }))) return undefined;
    const fd = fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
    try {
      this.#guard.checkReadable(fd);
      const stats = fs.fstatSync(fd);
      if (!isSmallFile(stats)) return undefined;
      const buffer = Buffer.allocUnsafeSlow(stats.size);
      const count = fs.readSync(fd, buffer);
      return count === stats.size ? buffer : undefined;
    } finally {
      fs.closeSync(fd);
    }
  }
}

function readPart(place: NativePath, { target, position }: FilePart): boolean {
  const fd = fs.openSync(place, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    if (!fs.fstatSync(fd).isFile()) return false;
    return fs.readSync(fd, target, 0, target.byteLength, position) === target.byteLength;
  } finally {
    fs.closeSync(fd);
  }
}

/** An empty one may be a file whose size is not known. */
function isSmallFile(stats: fs.Stats | undefined): boolean {
  return stats?.isFile() === true && stats.size > 0 && stats.size <= SMALL_FILE_BYTES;
}

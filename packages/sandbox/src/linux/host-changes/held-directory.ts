// A directory of the host that is held open for as long as something in it may have to be put right. A path can come to
// lead somewhere else while a command runs: other commands rename directories and put links in their place. What is held
// stays what it is, so everything that is changed on the host is named by one name inside a held directory, and no link
// is followed on the way.
import { Buffer } from 'node:buffer';
import { type BigIntStats, closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { openExactly } from '../../open-exactly.js';

// Not among Node's constants; the same number on x64 and arm64.
const oPath = 0o10000000;

export class HeldDirectory {
  /** Where it was when it was opened. */
  readonly path: string;
  /** Device and inode. Nothing else can have the same while it is held. */
  readonly identity: string;
  readonly mode: number;
  readonly uid: number;
  readonly #fd: number;

  private constructor(path: string, fd: number) {
    const stats = fstatSync(fd, { bigint: true });
    this.path = path;
    this.identity = identityOf(stats);
    this.mode = Number(stats.mode);
    this.uid = Number(stats.uid);
    this.#fd = fd;
  }

  /** An absolute path without links. */
  static open(path: string): HeldDirectory {
    return HeldDirectory.#of(path, openExactly(path));
  }

  static #of(path: string, fd: number): HeldDirectory {
    try {
      return new HeldDirectory(path, fd);
    } catch (error) {
      closeSync(fd);
      throw error;
    }
  }

  /** A path to the directory itself, good while it is held. */
  get self(): string {
    return `/proc/self/fd/${this.#fd}/.`;
  }

  /** A path to one name in it. Calls that follow a link at the end of a path follow one here. */
  entry(name: string): string;
  entry(name: string | Buffer): string | Buffer;
  entry(name: string | Buffer): string | Buffer {
    const prefix = `/proc/self/fd/${this.#fd}/`;
    return typeof name === 'string' ? prefix + name : Buffer.concat([Buffer.from(prefix), name]);
  }

  /** The directory of that name, held as well. Throws ENOENT, or ENOTDIR for anything else, a link included. */
  child(name: string | Buffer): HeldDirectory {
    const fd = openSync(this.entry(name), oPath | constants.O_DIRECTORY | constants.O_NOFOLLOW);
    return HeldDirectory.#of(`${this.path}/${String(name)}`, fd);
  }

  look(name: string): BigIntStats | undefined {
    return lstatSync(this.entry(name), { bigint: true, throwIfNoEntry: false });
  }

  /** Whether its path still leads here, without a link on the way. */
  isInPlace(): boolean {
    try {
      const there = HeldDirectory.open(this.path);
      there.close();
      return there.identity === this.identity;
    } catch {
      return false;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }
}

function identityOf(stats: BigIntStats): string {
  return `${stats.dev}:${stats.ino}`;
}

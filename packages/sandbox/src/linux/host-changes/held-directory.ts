// A directory of the host that is held open for as long as something in it may have to be put right. A path can come to
// lead somewhere else while a command runs: other commands rename directories and put links in their place. What is held
// stays what it is, so everything that is changed on the host is named by one name inside a held directory, and no link
// is followed on the way.
import { Buffer } from 'node:buffer';
import { type BigIntStats, close, closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { openExactly } from '../../open-exactly.js';

// Not among Node's constants; the same number on x64 and arm64.
const oPath = 0o10000000;

const CLOSE_AFTER_MS = 2;

export class HeldDirectory {
  /** Where it was when it was opened. */
  readonly path: string;
  readonly #fd: number;
  #identity: string | undefined;

  private constructor(path: string, fd: number) {
    this.path = path;
    this.#fd = fd;
  }

  /** An absolute path without links. */
  static open(path: string): HeldDirectory {
    return new HeldDirectory(path, openExactly(path));
  }

  /** For looking around only: links on the way are followed. */
  static openFollowing(path: string): HeldDirectory {
    return new HeldDirectory(path, openSync(path, oPath | constants.O_DIRECTORY));
  }

  /** Device and inode. Nothing else can have the same while it is held. */
  get identity(): string {
    if (this.#identity === undefined) {
      const { dev, ino } = fstatSync(this.#fd, { bigint: true });
      this.#identity = `${dev}:${ino}`;
    }
    return this.#identity;
  }

  get mode(): number {
    return fstatSync(this.#fd).mode;
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
    return new HeldDirectory(`${this.path}/${String(name)}`, fd);
  }

  look(name: string): BigIntStats | undefined {
    return lstatSync(this.entry(name), { bigint: true, throwIfNoEntry: false });
  }

  /** Whether its path still leads here, without a link on the way. */
  isInPlace(): boolean {
    try {
      const there = HeldDirectory.open(this.path);
      try {
        return there.identity === this.identity;
      } finally {
        there.close();
      }
    } catch {
      return false;
    }
  }

  close(): void {
    closeSync(this.#fd);
  }

  /**
   * On the thread pool, when who waits for the end of a command has been told and had time to be woken. The last descriptor of a
   * directory that was removed while it was held frees what it occupies on the disk, which takes ten times as long as the removal of its
   * name, and the threads that do so would take the processor from the client.
   */
  closeLater(): void {
    setTimeout(() => close(this.#fd, () => undefined), CLOSE_AFTER_MS).unref();
  }
}

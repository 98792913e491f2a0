// The policy check inside a file helper. The mounts of the sandbox are the wall; this check covers what they show or
// leave open without the policy saying so: the files that the helper itself needs to run, names that a deny glob matches
// but that appeared after the mounts were made, protected names that do not exist yet, and the sandbox's own /proc.
// Every decision is about a descriptor: where the opened file really lies, or an entry of a directory that is held open,
// so swapping a link in between changes nothing.
// What it does not stop: a second hard link to a denied file, and a directory that a process outside the sandbox moves
// to a denied place while a request is acting in it.
import * as fs from 'node:fs';
import type { ResolvedPolicy } from '@codex/sandbox';
import { type AccessLookup, createAccessLookup } from '@codex/sandbox/access-lookup';
import { errnoError, type FsError, isErrno, toFsError } from '../../fs-error.js';
import type { GuardPolicy } from '../../helper-protocol/guard-policy.js';
import { FileCalls } from '../../local/calls/file-calls.js';
import type { FileGuard } from '../../local/calls/file-guard.js';
import { MountTable } from '../../local/calls/mount-table.js';
import { openFile } from '../../local/calls/node-calls.js';
import { displayPath, joinName, type NativePath, nameOf, parentOf, toBytes } from '../../native-path.js';
import { deniedBelow } from './denied-below.js';
import { namedAncestorOf, namedPathOf, realPathOf } from './open-place.js';

const { O_ACCMODE, O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_RDONLY } = {
  ...fs.constants,
  O_ACCMODE: 0o3,
};
// Not among Node's constants. The same number on every Linux architecture that Node supports.
const O_PATH = 0o10000000;
const MAX_LINKS = 40;
/** Stands for the names between a directory and something too deep below it. Too long to be the name of anything. */
const UNNAMED = '.'.repeat(256);

type Access = 'read' | 'write';

export interface HeldPlace {
  /** Where it lies. */
  readonly real: NativePath;
  /** A path to it, good as long as it is held. */
  readonly held: string;
  readonly identity: string;
  readonly isDirectory: boolean;
}

export class PolicyGuard implements FileGuard {
  /** The file calls that this guard judges. */
  readonly calls = new FileCalls({ guard: this });
  readonly #lookup: AccessLookup;
  readonly #policy: GuardPolicy;
  readonly #mounts = new MountTable();

  constructor(policy: GuardPolicy) {
    this.#policy = policy;
    this.#lookup = createAccessLookup(policy as ResolvedPolicy);
    this.#mounts.refreshSync(performance.now());
  }

  maySync(): boolean {
    return this.#mounts.wasLocal;
  }

  /** Behind every block of requests: the next ones may find other mounts. */
  renewMounts(): void {
    const now = performance.now();
    if (this.#mounts.isOld(now)) this.#mounts.refreshSync(now);
  }

  async open(path: NativePath, flags: number, mode: number): Promise<number> {
    // Such a descriptor gives nothing away: what is done through it is judged then.
    if ((flags & O_PATH) !== 0) return this.#open(path, flags, mode);
    if ((flags & O_CREAT) === 0) return this.#openExisting(path, flags);
    return this.#openOrCreate(path, flags, mode);
  }

  checkReadable(fd: number): void {
    this.#check(realPathOf(fd), 'read');
  }

  checkWritable(fd: number): void {
    this.#check(realPathOf(fd), 'write');
  }

  async atEntry<T>(path: NativePath, access: Access, act: (path: NativePath) => Promise<T>): Promise<T> {
    const name = nameOf(path);
    if (name === undefined || name === '..') {
      return this.#holding(path, (real, held) => {
        this.#check(real, access);
        return act(`${held}/.`);
      });
    }
    return this.#holding(parentOf(path), (real, held) => {
      this.#check(joinName(real, name), access);
      return act(joinName(held, name));
    });
  }

  atTarget<T>(path: NativePath, act: (path: NativePath) => Promise<T>): Promise<T> {
    return this.#holding(path, (real, held) => {
      this.#check(real, 'read');
      return act(held);
    });
  }

  /** By spelling alone: for an entry of a directory whose place is known. */
  canRead(path: string): boolean {
    return this.#lookup.canRead(path);
  }

  /** Whether the policy opens something below. */
  leadsToReadable(path: string): boolean {
    return this.#policy.rules.some((rule) => rule.access !== 'deny' && isBelow(rule.path, path));
  }

  /** Holds what the path leads to, which must be readable. `held` leads there for other processes of the sandbox too. */
  async holdingPlace<T>(
    path: NativePath,
    { followsLink }: { readonly followsLink: boolean },
    act: (place: HeldPlace) => Promise<T>,
  ): Promise<T> {
    const fd = await this.#open(path, O_PATH | (followsLink ? 0 : O_NOFOLLOW), 0);
    try {
      const real = realPathOf(fd);
      this.#check(real, 'read');
      const stats = fs.fstatSync(fd, { bigint: true });
      const isDirectory = stats.isDirectory();
      // The dot makes sure that the directory is meant and not the link of /proc.
      const held = `/proc/${process.pid}/fd/${fd}${isDirectory ? '/.' : ''}`;
      return await act({ real, held, isDirectory, identity: `${stats.dev}:${stats.ino}` });
    } finally {
      fs.closeSync(fd);
    }
  }

  /** A glob is about names, so a denied file would be readable again once a directory above it has another name. */
  async checkMove(path: NativePath): Promise<void> {
    if (this.#policy.denyGlobs.length === 0) return;
    await this.atEntry(path, 'write', async (held) => {
      const real = await this.#holding(parentOf(path), async (parent) =>
        joinName(parent, nameOf(path) ?? ''),
      );
      if (await deniedBelow({ held, real: displayPath(real) }, this.#lookup, this.calls))
        throw errnoError('EACCES');
    });
  }

  async #openExisting(path: NativePath, flags: number): Promise<number> {
    const fd = await this.#open(path, flags & ~O_CREAT, 0);
    try {
      this.#check(this.#placeOf(fd), (flags & O_ACCMODE) === O_RDONLY ? 'read' : 'write');
      return fd;
    } catch (error) {
      fs.closeSync(fd);
      throw error;
    }
  }

  /** Creates only an entry that was judged, and follows links to missing files itself. */
  async #openOrCreate(path: NativePath, flags: number, mode: number): Promise<number> {
    let at = path;
    for (let hops = 0; hops <= MAX_LINKS; hops += 1) {
      if ((flags & O_EXCL) === 0) {
        const existing = await this.#openExisting(at, flags).catch(absent);
        if (existing !== undefined) return existing;
      }
      const made = await this.#create(at, flags, mode);
      if (typeof made === 'number') return made;
      at = made.next;
    }
    throw errnoError('ELOOP');
  }

  #create(path: NativePath, flags: number, mode: number): Promise<number | { next: NativePath }> {
    const name = nameOf(path);
    if (name === undefined || name === '..') throw errnoError('EISDIR');
    return this.#holding(parentOf(path), async (real, held) => {
      const entry = joinName(held, name);
      try {
        this.#check(joinName(real, name), 'write');
        return await this.#open(entry, flags | O_CREAT | O_EXCL | O_NOFOLLOW, mode);
      } catch (error) {
        if (!isErrno(error, 'EEXIST', 'EROFS') || (flags & O_EXCL) !== 0) throw error;
        const target = linkTarget(entry);
        // Another process made the file meanwhile, or the directory is read-only and holds no link.
        if (target === undefined) {
          if (isErrno(error, 'EROFS')) throw error;
          return { next: path };
        }
        return { next: toBytes(target)[0] === 0x2f ? target : joinName(real, target) };
      }
    });
  }

  /** Opens what the path leads to, for its place only. `held` names it for as long as `act` runs. */
  async #holding<T>(path: NativePath, act: (real: NativePath, held: string) => Promise<T>): Promise<T> {
    const fd = await this.#open(path, O_PATH | (path === '/' ? O_DIRECTORY : 0), 0);
    try {
      return await act(this.#placeOf(fd), `/proc/self/fd/${fd}`);
    } finally {
      fs.closeSync(fd);
    }
  }

  /** On local file systems an open does not wait, and the trip through the thread pool would cost more than the call. */
  async #open(path: NativePath, flags: number, mode: number): Promise<number> {
    if (!this.maySync()) return openFile(path, flags, mode);
    try {
      return fs.openSync(path, flags, mode);
    } catch (error) {
      throw toFsError(error);
    }
  }

  /**
   * Where the open file lies. For one that lies deeper than a path can say: a place below its nearest ancestor that a
   * path can name, where the policy makes no difference between what is below that ancestor.
   */
  #placeOf(fd: number): NativePath {
    const real = namedPathOf(fd);
    if (real !== undefined) return real;
    const ancestor = namedAncestorOf(fd);
    const hasOwnRules = this.#policy.rules.some((rule) => isBelow(rule.path, displayPath(ancestor)));
    if (hasOwnRules || this.#policy.denyGlobs.length > 0) throw errnoError('ENAMETOOLONG');
    return joinName(ancestor, UNNAMED);
  }

  #check(real: NativePath, access: Access): void {
    const path = displayPath(real);
    const isPlace = path.startsWith('/');
    if (isPlace && access === 'read' && this.#lookup.canRead(path)) return;
    if (isPlace && access === 'write' && !isKernelPlace(path) && this.#lookup.canWrite(path)) return;
    throw this.#refusal(path, isPlace);
  }

  /** As the mounts would answer: a path without a rule is not there, what is denied says so, the rest is read-only. */
  #refusal(path: string, isPlace: boolean): FsError {
    if (isPlace && this.#lookup.canRead(path)) return errnoError('EROFS');
    const isNamed = this.#policy.rules.some((rule) => isBelow(path, rule.path));
    return errnoError(isPlace && !isNamed ? 'ENOENT' : 'EACCES');
  }
}

function linkTarget(path: NativePath): NativePath | undefined {
  try {
    return fs.readlinkSync(path, { encoding: 'buffer' });
  } catch {
    return undefined;
  }
}

function absent(error: unknown): undefined {
  if (!isErrno(error, 'ENOENT')) throw error;
}

/** Writing there would act on the helper itself. */
function isKernelPlace(path: string): boolean {
  return isBelow(path, '/proc') || isBelow(path, '/sys');
}

function isBelow(path: string, directory: string): boolean {
  return directory === '/' || path === directory || path.startsWith(`${directory}/`);
}

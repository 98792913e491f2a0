// Looks at the host's files for the mount plan: what a path is, and where it really lies once symbolic links are
// followed. Remembers every answer, so that many rules below one directory cost one look each.
import { accessSync, type BigIntStats, constants, lstatSync, readlinkSync } from 'node:fs';
import type { FileIdentity } from '@codex/launcher';
import { SandboxError } from '../../errors.js';
import { joinPath, parentPath } from '../../policy/path-text.js';
import { holdsNothing, isMountPoint } from '../host-changes/mount-point-marks.js';
import { inOneGo, type Steps } from './time-slices.js';

export type PathKind = 'missing' | 'directory' | 'symlink' | 'other';

export interface PathFacts {
  readonly kind: PathKind;
  /** Hard links; 0 when missing. */
  readonly links: number;
  /** The owner; -1 when missing. */
  readonly uid: number;
  readonly mode: number;
  /** Undefined when missing. */
  readonly identity?: FileIdentity;
  /** Missing only because this user may not look into the directory. */
  readonly unreachable?: true;
}

export interface CrossedLink {
  /** Where the link itself lies; its directory part has no links. */
  readonly path: string;
  readonly target: string;
}

export interface LocatedPath {
  /** The same place without symbolic links. What does not exist is kept as spelled. */
  readonly path: string;
  readonly crossed: readonly CrossedLink[];
}

const missing: PathFacts = { kind: 'missing', links: 0, uid: -1, mode: 0 };
/** How often a path that changes while it is inspected is inspected again. */
const maxLooks = 8;
const maxLinks = 40;

export class PathInspector {
  readonly #facts = new Map<string, PathFacts>();
  readonly #located = new Map<string, LocatedPath>();
  #looks = 0;

  /** Does not follow a link at the end. */
  inspect(path: string): PathFacts {
    const known = this.#facts.get(path);
    if (known !== undefined) return known;
    const facts = look(path);
    this.#facts.set(path, facts);
    return facts;
  }

  /** An empty directory of this user, in which a mark can be left, or one that has just been removed. */
  canHoldEmpty(path: string): boolean {
    const { kind, uid } = this.inspect(path);
    if (kind !== 'directory' || !isOwn(uid)) return false;
    try {
      accessSync(path, constants.W_OK);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT';
    }
    return holdsNothing(path);
  }

  locate(path: string): LocatedPath {
    return inOneGo(this.locateInSteps(path));
  }

  /** A step for each level: a path, or the target of a link, may have two thousand. */
  locateInSteps(path: string): Steps<LocatedPath> {
    return this.#locate(path, maxLinks);
  }

  /** Undefined for a path that leads nowhere: through a ring of links. */
  locateIfPossible(path: string): LocatedPath | undefined {
    return inOneGo(this.locateIfPossibleInSteps(path));
  }

  *locateIfPossibleInSteps(path: string): Steps<LocatedPath | undefined> {
    try {
      return yield* this.#locate(path, maxLinks);
    } catch (error) {
      if (error instanceof SandboxError) return undefined;
      throw error;
    }
  }

  *#locate(path: string, budget: number): Steps<LocatedPath> {
    let known = this.#known(path);
    const unknown: string[] = [];
    for (let at = path; known === undefined; known = this.#known(at)) {
      unknown.push(at);
      at = parentPath(at);
    }
    for (let at = unknown.pop(); at !== undefined; at = unknown.pop()) {
      known = yield* this.#locateChild(known, at, budget);
      this.#located.set(at, known);
      yield;
    }
    return known;
  }

  #known(path: string): LocatedPath | undefined {
    return path === '/' ? { path, crossed: [] } : this.#located.get(path);
  }

  *#locateChild(parent: LocatedPath, path: string, budget: number): Steps<LocatedPath> {
    if (budget === 0) {
      throw new SandboxError('SANDBOX_PREPARE_FAILED', `${path} goes through too many symbolic links`);
    }
    const here = joinPath(parent.path, path.slice(path.lastIndexOf('/') + 1));
    if (this.inspect(here).kind !== 'symlink') return { path: here, crossed: parent.crossed };
    const target = this.#readLink(here);
    if (target === undefined) return yield* this.#locateChild(parent, path, budget - 1);
    const followed = yield* this.#follow(target.startsWith('/') ? '/' : parent.path, target);
    const next = yield* this.#locate(followed, budget - 1);
    return { path: next.path, crossed: [...parent.crossed, { path: here, target }, ...next.crossed] };
  }

  /** Undefined when it is no link any more: then the path has to be looked at again. */
  #readLink(path: string): string | undefined {
    try {
      return readlinkSync(path);
    } catch (error) {
      const code = (error as NodeJS.ErrnoException).code;
      this.#facts.delete(path);
      this.#looks += 1;
      if ((code === 'EINVAL' || code === 'ENOENT') && this.#looks < maxLooks) return undefined;
      throw cannotLook(path, error);
    }
  }

  // `..` in a link target means the parent of the real directory, so it cannot be folded by spelling.
  *#follow(base: string, target: string): Steps<string> {
    let at = base;
    for (const part of target.split('/')) {
      if (part === '' || part === '.') continue;
      if (part === '..') at = parentPath((yield* this.#locate(at, maxLinks / 2)).path);
      else at = joinPath(at, part);
      yield;
    }
    return at;
  }
}

function look(path: string): PathFacts {
  let stats: BigIntStats | undefined;
  try {
    // Most protected names are missing, and an exception costs more than the look.
    stats = lstatSync(path, { throwIfNoEntry: false, bigint: true });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // ENAMETOOLONG: nothing can be opened under such a name either.
    if (code === 'ENOTDIR' || code === 'ENAMETOOLONG') return missing;
    if (code === 'EACCES') return { ...missing, unreachable: true };
    throw cannotLook(path, error);
  }
  if (stats === undefined) return missing;
  const [links, uid, mode] = [Number(stats.nlink), Number(stats.uid), Number(stats.mode)];
  // A mount point of another sandbox of this user, running or dead, stands for a name that does not exist.
  if (stats.isDirectory() && isOwn(uid) && isMountPoint(path, mode)) return missing;
  const kind = stats.isSymbolicLink() ? 'symlink' : stats.isDirectory() ? 'directory' : 'other';
  return { kind, links, uid, mode, identity: { device: stats.dev, inode: stats.ino } };
}

export function isOwn(uid: number): boolean {
  return uid === process.geteuid?.();
}

function cannotLook(path: string, error: unknown): SandboxError {
  const code = (error as NodeJS.ErrnoException).code;
  return new SandboxError('SANDBOX_PREPARE_FAILED', `cannot look at ${path}: ${code ?? String(error)}`, {
    cause: error,
  });
}

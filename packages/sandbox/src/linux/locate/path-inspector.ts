// Looks at the host's files for the mount plan: what a path is, and where it really lies once symbolic links are
// followed. Remembers every answer, so that many rules below one directory cost one look each.
import { accessSync, constants, lstatSync, readlinkSync, type Stats } from 'node:fs';
import { SandboxError } from '../../errors.js';
import { joinPath, parentPath, pathComponents } from '../../policy/path-text.js';
import { holdsNothing, isMountPoint } from '../host-changes/mount-point-marks.js';

export type PathKind = 'missing' | 'directory' | 'symlink' | 'other';

export interface PathFacts {
  readonly kind: PathKind;
  /** Hard links; 0 when missing. */
  readonly links: number;
  /** The owner; -1 when missing. */
  readonly uid: number;
  readonly mode: number;
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
    return this.#locate(path, maxLinks);
  }

  /** Undefined for a path that leads nowhere: through a ring of links. */
  locateIfPossible(path: string): LocatedPath | undefined {
    try {
      return this.#locate(path, maxLinks);
    } catch (error) {
      if (error instanceof SandboxError) return undefined;
      throw error;
    }
  }

  #locate(path: string, budget: number): LocatedPath {
    if (path === '/') return { path, crossed: [] };
    const known = this.#located.get(path);
    if (known !== undefined) return known;
    if (budget === 0) {
      throw new SandboxError('SANDBOX_PREPARE_FAILED', `${path} goes through too many symbolic links`);
    }
    const parent = this.#locate(parentPath(path), budget);
    const name = pathComponents(path).at(-1) ?? '';
    const here = joinPath(parent.path, name);
    let found: LocatedPath = { path: here, crossed: parent.crossed };
    if (this.inspect(here).kind === 'symlink') {
      const target = this.#readLink(here);
      if (target === undefined) return this.#locate(path, budget - 1);
      const next = this.#locate(this.#follow(target.startsWith('/') ? '/' : parent.path, target), budget - 1);
      found = { path: next.path, crossed: [...parent.crossed, { path: here, target }, ...next.crossed] };
    }
    this.#located.set(path, found);
    return found;
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
  #follow(base: string, target: string): string {
    let at = base;
    for (const part of target.split('/')) {
      if (part === '' || part === '.') continue;
      at = part === '..' ? parentPath(this.#locate(at, maxLinks / 2).path) : joinPath(at, part);
    }
    return at;
  }
}

function look(path: string): PathFacts {
  let stats: Stats | undefined;
  try {
    // Most protected names are missing, and an exception costs more than the look.
    stats = lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // ENAMETOOLONG: nothing can be opened under such a name either.
    if (code === 'ENOTDIR' || code === 'ENAMETOOLONG') return missing;
    if (code === 'EACCES') return { ...missing, unreachable: true };
    throw cannotLook(path, error);
  }
  if (stats === undefined) return missing;
  const { nlink: links, uid, mode } = stats;
  // A mount point of another sandbox of this user, running or dead, stands for a name that does not exist.
  if (stats.isDirectory() && isOwn(uid) && isMountPoint(path, mode)) return missing;
  const kind = stats.isSymbolicLink() ? 'symlink' : stats.isDirectory() ? 'directory' : 'other';
  return { kind, links, uid, mode };
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

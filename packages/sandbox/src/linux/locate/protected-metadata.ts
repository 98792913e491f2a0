// Keeps the protected names inside writable directories as they are, and what they lead to: programs outside the sandbox
// act on what is in them. A `.git` is followed as git does, to the directory that it names and to the common one with the
// hooks and the configuration.
// What it does not stop is in the README: repositories further down, and everything else that a user may run in there.
import { readCommonDirectory, readGitPointer } from '../../policy/git-directories.js';
import { isWithin, joinPath, parentPath } from '../../policy/path-text.js';
import type { ResolvedPolicy } from '../../policy/resolve-policy.js';
import { looksLikeMountPoint } from '../host-changes/mount-point-marks.js';
import type { AccessMap } from './effective-access.js';
import {
  type CrossedLink,
  isOwn,
  type LocatedPath,
  type PathFacts,
  type PathInspector,
} from './path-inspector.js';
import type { Steps } from './time-slices.js';

export interface Protection {
  readonly policy: ResolvedPolicy;
  readonly inspector: PathInspector;
  /** Rules are added here. */
  readonly access: AccessMap;
  /** Links that have to be put back are added here. */
  readonly guarded: Map<string, CrossedLink>;
}

/** Gives the names that another user has taken. */
export function protectMetadata(protection: Protection): Steps<string[]> {
  return new MetadataProtection(protection).protect();
}

class MetadataProtection {
  readonly #policy: ResolvedPolicy;
  readonly #inspector: PathInspector;
  readonly #access: AccessMap;
  readonly #guarded: Map<string, CrossedLink>;
  readonly #unclaimable: string[] = [];

  constructor({ policy, inspector, access, guarded }: Protection) {
    this.#policy = policy;
    this.#inspector = inspector;
    this.#access = access;
    this.#guarded = guarded;
  }

  *protect(): Steps<string[]> {
    const writable = [...this.#access].filter(([, wanted]) => wanted === 'write').map(([path]) => path);
    const above = new Set<string>();
    for (const root of writable) {
      // The root of the disk is no workspace, and what stands there is not for this user to make.
      if (root === '/') continue;
      // What is opened under such a name is metadata itself and not a workspace.
      if (this.#policy.protectedNames.some((name) => root.endsWith(`/${name}`))) continue;
      if (this.#inspector.inspect(root).kind !== 'directory') continue;
      for (const name of this.#policy.protectedNames) yield* this.#protectName(root, name);
      for (let at = root; at !== '/'; at = parentPath(at)) above.add(parentPath(at));
    }
    // A workspace may belong to a repository further up that a wider grant makes writable. What is there is kept; to
    // cover what is missing would put directories all the way up.
    for (const directory of above) {
      yield;
      if (this.#access.get(directory) === 'write' || this.#access.effective(directory) !== 'write') continue;
      for (const name of this.#policy.protectedNames) {
        if (this.#inspector.inspect(joinPath(directory, name)).kind !== 'missing') {
          yield* this.#protectName(directory, name);
        }
      }
    }
    return this.#unclaimable;
  }

  *#protectName(root: string, name: string): Steps<void> {
    const path = joinPath(root, name);
    const facts = this.#inspector.inspect(path);
    const around = this.#inspector.inspect(root);
    if (isForeign(facts, around)) {
      // Nothing that another user has put there is followed: it would choose what becomes read-only here.
      this.#unclaimable.push(path);
      const isSafe = (around.mode & 0o1000) !== 0 && !isOwn(around.uid);
      if (!isSafe && facts.kind !== 'symlink') this.#keepReadOnly(path);
      return;
    }
    if (facts.kind === 'symlink') yield* this.#protectLink(root, name);
    else {
      this.#keepReadOnly(path);
      if (name === '.git') yield* this.#followGit(path);
    }
    yield;
  }

  *#protectLink(root: string, name: string): Steps<void> {
    const path = joinPath(root, name);
    const place = yield* this.#inspector.locateIfPossibleInSteps(path);
    if (place === undefined) return;
    this.#guardLinks(place);
    // A grant that names the link opens its target; one that names the target only does not know what it opens.
    const opened = this.#policy.rules.some(
      (rule) =>
        rule.access === 'write' &&
        rule.path.endsWith(`/${name}`) &&
        this.#inspector.locate(parentPath(rule.path)).path === root,
    );
    if (opened) return;
    if (this.#access.effective(place.path) === 'write' && !this.#wouldLock(place.path, { root, name }))
      this.#access.set(place.path, 'read');
    if (name === '.git') yield* this.#followGit(place.path);
  }

  /**
   * Whether to make the target of a link read-only would take away what was granted: the directory that the link stands
   * in, or one that a rule names. A repository is kept all the same where a grant names it.
   */
  #wouldLock(target: string, { root, name }: { root: string; name: string }): boolean {
    if (isWithin(root, target)) return true;
    if (this.#access.get(target) !== 'write') return false;
    return name !== '.git' || this.#inspector.inspect(joinPath(target, 'HEAD')).kind === 'missing';
  }

  /** Every link on the way that the command could change: to exchange one of them is to exchange what is at the end. */
  #guardLinks({ crossed }: LocatedPath): void {
    for (const link of crossed) {
      if (this.#access.effective(parentPath(link.path)) === 'write') this.#guarded.set(link.path, link);
    }
  }

  *#followGit(dotGit: string): Steps<void> {
    const { kind } = this.#inspector.inspect(dotGit);
    const pointed = kind === 'other' ? readGitPointer(dotGit) : undefined;
    const gitDirectory = kind === 'directory' ? dotGit : yield* this.#keepTarget(pointed);
    if (gitDirectory !== undefined) yield* this.#keepTarget(readCommonDirectory(gitDirectory));
  }

  *#keepTarget(path: string | undefined): Steps<string | undefined> {
    const place = path === undefined ? undefined : yield* this.#inspector.locateIfPossibleInSteps(path);
    if (place === undefined) return undefined;
    this.#guardLinks(place);
    this.#keepReadOnly(place.path);
    return place.path;
  }

  #keepReadOnly(path: string): void {
    if (!this.#access.has(path) && this.#access.effective(path) === 'write') this.#access.set(path, 'read');
  }
}

/** Taken by another user, in a directory where all users may make names, or as the mount point of a sandbox of theirs. */
function isForeign(facts: PathFacts, around: PathFacts): boolean {
  if (facts.kind === 'missing' || isOwn(facts.uid)) return false;
  return (around.mode & 0o002) !== 0 || (facts.kind === 'directory' && looksLikeMountPoint(facts.mode));
}

// Tells whether the paths that a policy names are still the same files: created, removed or replaced ones change the
// fingerprint. Synchronous: it is a handful of looks, in front of every request.
//
// Most of them would be at protected names that do not exist. Such a name appears with a change of its directory, so
// while that is the same directory with the same time of change, the names are not looked at again. The time counts
// only when it is well past: two changes within one tick of the file system's clock have the same. A link to nowhere is
// looked at each time, because its target appears somewhere else.
// What it does not stop: on a file system that does not keep these times, a name that appears is found out late. The
// helper's own check refuses the name itself in any case, but not the place that a `.git` file or link names, when that
// is writable otherwise.
import { lstatSync, type Stats, statSync } from 'node:fs';
import { isMountPoint, type ResolvedPolicy } from '@codex/sandbox';

export const MISSING = '-;';
/** More than the coarsest tick that is common: two seconds on FAT, one on ext4 with small inodes. */
const SETTLED_MS = 2_500;

type LookedAt = Pick<ResolvedPolicy, 'rules' | 'protectedNames'>;

export class PolicyFingerprint {
  readonly #policy: LookedAt;
  readonly #noName: string;
  readonly #now: () => number;
  /** What directories were when none of the protected names was in them. */
  readonly #without = new Map<string, string>();

  constructor(policy: LookedAt, now: () => number = Date.now) {
    this.#policy = policy;
    this.#noName = MISSING.repeat(policy.protectedNames.length);
    this.#now = now;
  }

  read(): string {
    let fingerprint = '';
    for (const { path, access } of this.#policy.rules) {
      const stats = statsOf(path);
      fingerprint += identify(path, stats);
      if (access === 'write') fingerprint += this.#namesIn(path, stats);
    }
    return fingerprint;
  }

  #namesIn(directory: string, stats: Stats | undefined): string {
    const state = stats === undefined ? '' : `${stats.dev}:${stats.ino}:${stats.ctimeMs}`;
    if (stats !== undefined && this.#without.get(directory) === state) return this.#noName;
    const isSettled = stats !== undefined && this.#now() - stats.ctimeMs > SETTLED_MS;
    let found = '';
    let areAbsent = true;
    for (const name of this.#policy.protectedNames) {
      const path = `${directory}/${name}`;
      const there = statsOf(path);
      // A mount point counts as missing, but becomes something else without a change of its directory.
      areAbsent &&= there === undefined && isAbsent(path);
      found += identify(path, there);
    }
    if (isSettled && areAbsent && stats.isDirectory()) this.#without.set(directory, state);
    else this.#without.delete(directory);
    return found;
  }
}

export function identityOf(path: string): string {
  return identify(path, statsOf(path));
}

/** Which file a path is; `stats` are those of what it leads to. */
export function identify(path: string, stats: Stats | undefined): string {
  // A directory that another sandbox has put where a name is missing comes and goes with that sandbox.
  const isMissing = stats === undefined || (stats.isDirectory() && isMountPoint(path, stats.mode));
  return isMissing ? MISSING : `${stats.dev}:${stats.ino};`;
}

/** Nothing of that name, not even a link to nowhere. What cannot be looked at may be there. */
function isAbsent(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) === undefined;
  } catch {
    return false;
  }
}

function statsOf(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

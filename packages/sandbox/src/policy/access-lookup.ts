// Answers what a policy lets a command do with one path, by spelling alone. The platform sandbox enforces; this is for
// explanations, for checks inside a file helper, and for tests of the rules themselves.
import { globDenial } from './glob/glob-pattern.js';
import { isWithin, normalizePath, parentPath } from './path-text.js';
import type { Access } from './policy-model.js';
import type { ResolvedPolicy } from './resolve-policy.js';

export interface AccessLookup {
  /** What the entries say: the most specific one decides, nothing means `deny`. Ignores protected names. */
  accessAt(path: string): Access;
  canRead(path: string): boolean;
  /** Also false for protected names directly below a writable directory, unless an entry opens them. */
  canWrite(path: string): boolean;
}

export function createAccessLookup(policy: ResolvedPolicy): AccessLookup {
  const byPath = new Map(policy.rules.map((rule) => [rule.path, rule.access]));
  const matchers = policy.denyGlobs.map(globDenial);
  const names = new Set(policy.protectedNames);

  /** The path of the deciding rule, walking up from the target. */
  const decidingPath = (path: string): string | undefined => {
    for (let at = path; ; at = parentPath(at)) {
      if (byPath.has(at)) return at;
      if (at === '/') return undefined;
    }
  };
  const entryAccess = (path: string): Access => {
    const decider = decidingPath(path);
    return decider === undefined ? 'deny' : (byPath.get(decider) ?? 'deny');
  };
  // Denying a directory denies what is in it, so a glob that matches an ancestor counts.
  const deniedByGlob = (path: string): boolean => matchers.some((denies) => denies(path) !== undefined);
  const isProtectedName = (path: string): boolean => names.has(path.slice(path.lastIndexOf('/') + 1));
  const protectedBy = (path: string): string | undefined => {
    for (let at = path; at !== '/'; at = parentPath(at)) {
      const parent = parentPath(at);
      // A writable directory with such a name is metadata itself and not a workspace.
      if (isProtectedName(at) && byPath.get(parent) === 'write' && !isProtectedName(parent)) return at;
    }
    return undefined;
  };

  return {
    accessAt: (path) => {
      const target = normalizePath(path);
      return deniedByGlob(target) ? 'deny' : entryAccess(target);
    },
    canRead: (path) => {
      const target = normalizePath(path);
      return !deniedByGlob(target) && entryAccess(target) !== 'deny';
    },
    canWrite: (path) => {
      const target = normalizePath(path);
      if (deniedByGlob(target) || entryAccess(target) !== 'write') return false;
      if (policy.fullDiskWrite) return true;
      const metadata = protectedBy(target);
      if (metadata === undefined) return true;
      const decider = decidingPath(target);
      return decider !== undefined && isWithin(decider, metadata);
    },
  };
}

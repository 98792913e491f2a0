// Answers what a policy lets a command do with one path, by spelling alone. The platform sandbox enforces; this is for
// explanations, for checks inside a file helper, and for tests of the rules themselves.
import { globDenial } from './glob/glob-pattern.js';
import { isWithin, normalizePath, parentPath } from './path-text.js';
import type { Access } from './policy-model.js';
import type { PathRule, ResolvedPolicy } from './resolve-policy.js';

export interface AccessLookup {
  /** What the entries say: the most specific one decides, nothing means `deny`. Ignores protected names. */
  accessAt(path: string): Access;
  canRead(path: string): boolean;
  /** Also false for protected names directly below a writable directory, unless an entry opens them. */
  canWrite(path: string): boolean;
  /** Which rule, glob or name decides about the path. */
  decidedBy(path: string): AccessDecider;
  /** All globs that deny the path. */
  denyingGlobs(path: string): string[];
}

export type AccessDecider =
  | { readonly kind: 'rule'; readonly rule: PathRule }
  | { readonly kind: 'glob'; readonly glob: string }
  /** The path of the name that stays read-only, and the rule that makes the directory around it writable. */
  | { readonly kind: 'readOnlyName'; readonly path: string; readonly rule: PathRule }
  /** No rule names the path nor anything above it. */
  | { readonly kind: 'nothing' };

export function createAccessLookup(policy: ResolvedPolicy): AccessLookup {
  const byPath = new Map(policy.rules.map((rule) => [rule.path, rule.access]));
  // Made when first asked: a thousand patterns take their time, and mostly the rules alone decide.
  let made: readonly ReturnType<typeof globDenial>[] | undefined;
  const matchers = () => {
    made ??= policy.denyGlobs.map(globDenial);
    return made;
  };
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
  const deniedByGlob = (path: string): boolean => matchers().some((denies) => denies(path) !== undefined);
  const isProtectedName = (path: string): boolean => names.has(path.slice(path.lastIndexOf('/') + 1));
  const protectedBy = (path: string): string | undefined => {
    for (let at = path; at !== '/'; at = parentPath(at)) {
      const parent = parentPath(at);
      // A writable directory with such a name is metadata itself and not a workspace.
      if (isProtectedName(at) && byPath.get(parent) === 'write' && !isProtectedName(parent)) return at;
    }
    return undefined;
  };

  const isOpened = (target: string, metadata: string): boolean => {
    const decider = decidingPath(target);
    return decider !== undefined && isWithin(decider, metadata);
  };

  return {
    accessAt: (path) => {
      const target = normalizePath(path);
      const access = entryAccess(target);
      return access !== 'deny' && deniedByGlob(target) ? 'deny' : access;
    },
    canRead: (path) => {
      const target = normalizePath(path);
      return entryAccess(target) !== 'deny' && !deniedByGlob(target);
    },
    canWrite: (path) => {
      const target = normalizePath(path);
      if (entryAccess(target) !== 'write' || deniedByGlob(target)) return false;
      if (policy.fullDiskWrite) return true;
      const metadata = protectedBy(target);
      return metadata === undefined || isOpened(target, metadata);
    },
    denyingGlobs: (path) => {
      const target = normalizePath(path);
      return policy.denyGlobs.filter((_, index) => matchers()[index]?.(target) !== undefined);
    },
    decidedBy: (path) => {
      const target = normalizePath(path);
      const index = matchers().findIndex((denies) => denies(target) !== undefined);
      const glob = policy.denyGlobs[index];
      if (glob !== undefined) return { kind: 'glob', glob };
      const decider = decidingPath(target);
      if (decider === undefined) return { kind: 'nothing' };
      const rule = { path: decider, access: byPath.get(decider) ?? 'deny' };
      const metadata = policy.fullDiskWrite || rule.access !== 'write' ? undefined : protectedBy(target);
      if (metadata === undefined || isOpened(target, metadata)) return { kind: 'rule', rule };
      return { kind: 'readOnlyName', path: metadata, rule };
    },
  };
}

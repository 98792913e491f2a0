// What a helper gets to see of the disk, and what it checks itself. The mounts are made from the rules that have
// something to lie on: a rule about a missing name inside a writable directory would put a directory there for as long
// as the helper lives, so the helper's own check keeps such names, and a name that appears gets a new helper.

import { statSync } from 'node:fs';
import {
  createAccessLookup,
  locatePath,
  locatePolicy,
  type PathRule,
  type ResolvedPolicy,
  withRules,
} from '@codex/sandbox';
import type { GrantedPlace, GuardPolicy } from '../../helper-protocol/guard-policy.js';
import { identityOf, MISSING } from './policy-fingerprint.js';

export interface HelperPolicy {
  /** For the mounts. */
  readonly mounts: ResolvedPolicy;
  /** For the check inside. */
  readonly guard: GuardPolicy;
  /** What the granted paths are. The helper compares: a path that was swapped while it was mounted is found out. */
  readonly places: readonly GrantedPlace[];
}

export interface HelperFiles {
  /** Shown so that the helper can run; the check inside does not know them. */
  readonly runtime: readonly string[];
  /** Denied whatever the policy says. */
  readonly secret?: readonly string[];
  /** Not written, whatever the policy says. */
  readonly unchangeable?: readonly string[];
}

export function helperPolicy(
  policy: ResolvedPolicy,
  { runtime, secret = [], unchangeable = [] }: HelperFiles,
): HelperPolicy {
  const rules = locatePolicy(policy, { alwaysDeny: secret, ownFolders: unchangeable });
  const guard: GuardPolicy = {
    rules: [...rules].map(([path, access]) => ({ path, access })),
    denyGlobs: bothSpellings(policy.denyGlobs),
    protectedNames: policy.protectedNames,
    fullDiskWrite: policy.fullDiskWrite,
  };
  const granted = [...rules].filter(([path, access]) => access === 'write' || exists(path));
  const mounted: PathRule[] = [
    ...granted.map(([path, access]) => ({ path, access })),
    ...runtime.filter((path) => !rules.has(path)).map((path) => ({ path, access: 'read' as const })),
  ];
  // A grant that something else takes away again shows what covers it.
  const lookup = createAccessLookup({ ...policy, ...guard });
  const places = granted.flatMap(([path]) => (lookup.canRead(path) ? placeOf(path) : []));
  return { mounts: withRules(policy, { rules: mounted, network: 'restricted' }), guard, places };
}

function placeOf(path: string): GrantedPlace[] {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? [] : [{ path, device: String(stats.dev), inode: String(stats.ino) }];
}

/** A pattern below a linked directory has to match the real paths too. */
function bothSpellings(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => {
    const wild = pattern.search(/[*?[\]{}]/);
    const fixed = pattern.slice(0, pattern.lastIndexOf('/', wild === -1 ? pattern.length : wild));
    const real = fixed === '' ? '' : locatePath(fixed);
    return real === fixed ? [pattern] : [pattern, real + pattern.slice(fixed.length)];
  });
}

function exists(path: string): boolean {
  return identityOf(path) !== MISSING;
}

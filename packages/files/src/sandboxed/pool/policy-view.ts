// What a helper gets to see of the disk, and what it checks itself. The mounts are made from the rules that have
// something to lie on: a rule about a missing name inside a writable directory would put a directory there for as long
// as the helper lives, so the helper's own check keeps such names, and a name that appears gets a new helper.

import { realpathSync, statSync } from 'node:fs';
import {
  createAccessLookup,
  type PathRule,
  type PolicyEntry,
  platformDefaults,
  type ResolvedPolicy,
  readGitPointer,
  type SandboxPolicy,
} from '@codex/sandbox';
import type { GrantedPlace, GuardPolicy } from '../../helper-protocol/guard-policy.js';
import { identityOf, MISSING } from './view-signature.js';

export interface PolicyView {
  /** For the mounts. */
  readonly mounts: SandboxPolicy;
  /** For the check inside. */
  readonly guard: GuardPolicy;
  /** What the granted paths are. The helper compares: a path that was swapped while it was mounted is found out. */
  readonly places: readonly GrantedPlace[];
}

type Access = PathRule['access'];
const STRENGTH: Readonly<Record<Access, number>> = { read: 0, write: 1, deny: 2 };

export interface ViewFiles {
  /** Shown so that the helper can run; the check inside does not know them. */
  readonly runtime: readonly string[];
  /** Denied whatever the policy says. */
  readonly secret?: readonly string[];
}

export function policyView(policy: ResolvedPolicy, { runtime, secret = [] }: ViewFiles): PolicyView {
  const rules = new Map<string, Access>();
  for (const { path, access } of policy.rules) {
    const real = locate(path);
    const known = rules.get(real);
    if (known === undefined || STRENGTH[access] > STRENGTH[known]) rules.set(real, access);
  }
  if (policy.includesPlatformDefaults) {
    for (const path of platformDefaults.map(locate)) if (!rules.has(path)) rules.set(path, 'read');
  }
  const metadata = existingMetadata(policy, rules);
  for (const path of metadata.elsewhere) rules.set(path, 'read');
  for (const path of secret.map(locate)) {
    for (const other of [...rules.keys()]) if (other.startsWith(`${path}/`)) rules.delete(other);
    rules.set(path, 'deny');
  }
  const guard: GuardPolicy = {
    rules: [...rules].map(([path, access]) => ({ path, access })),
    denyGlobs: bothSpellings(policy.denyGlobs),
    protectedNames: policy.protectedNames,
    fullDiskWrite: policy.fullDiskWrite,
  };
  for (const path of metadata.inPlace) rules.set(path, 'read');
  const granted = [...rules].filter(([path, access]) => access === 'write' || exists(path));
  const entries: PolicyEntry[] = [
    ...granted.map(([path, access]) => entry(path, access)),
    ...policy.denyGlobs.map((pattern): PolicyEntry => ({ path: { type: 'glob', pattern }, access: 'deny' })),
    ...runtime.filter((path) => !rules.has(path)).map((path) => entry(path, 'read')),
  ];
  const { globScanMaxDepth } = policy;
  const fileSystem = {
    type: 'restricted' as const,
    entries,
    ...(globScanMaxDepth === undefined ? {} : { globScanMaxDepth }),
  };
  // A grant that something else takes away again shows what covers it.
  const lookup = createAccessLookup({ ...policy, ...guard });
  const places = granted.flatMap(([path]) => (lookup.canRead(path) ? placeOf(path) : []));
  return { mounts: { fileSystem, network: 'restricted' }, guard, places };
}

function placeOf(path: string): GrantedPlace[] {
  const stats = statSync(path, { throwIfNoEntry: false, bigint: true });
  return stats === undefined ? [] : [{ path, device: String(stats.dev), inode: String(stats.ino) }];
}

interface Metadata {
  /** Protected names that exist inside a writable directory. */
  readonly inPlace: readonly string[];
  /** What such a name leads to when it is a link or a git pointer, and would be writable. */
  readonly elsewhere: readonly string[];
}

function existingMetadata(policy: ResolvedPolicy, rules: ReadonlyMap<string, Access>): Metadata {
  const { protectedNames } = policy;
  const writable = createAccessLookup({
    ...policy,
    rules: [...rules].map(([path, access]) => ({ path, access })),
    protectedNames: [],
  });
  const inPlace: string[] = [];
  const elsewhere: string[] = [];
  const keep = (path: string, list: string[]): void => {
    if (!rules.has(path) && writable.canWrite(path)) list.push(path);
  };
  for (const [root, access] of rules) {
    if (access !== 'write' || protectedNames.some((name) => root.endsWith(`/${name}`))) continue;
    for (const name of protectedNames) {
      const path = root === '/' ? `/${name}` : `${root}/${name}`;
      if (rules.has(path) && rules.get(path) !== 'read') continue;
      const real = exists(path) ? realPath(path) : undefined;
      if (real === undefined) continue;
      keep(real, real === path ? inPlace : elsewhere);
      const pointed = name === '.git' ? readGitPointer(path) : undefined;
      if (pointed !== undefined) keep(locate(pointed), elsewhere);
    }
  }
  return { inPlace, elsewhere };
}

/** A pattern below a linked directory has to match the real paths too. */
function bothSpellings(patterns: readonly string[]): string[] {
  return patterns.flatMap((pattern) => {
    const wild = pattern.search(/[*?[\]{}]/);
    const fixed = pattern.slice(0, pattern.lastIndexOf('/', wild === -1 ? pattern.length : wild));
    const real = fixed === '' ? '' : locate(fixed);
    return real === fixed ? [pattern] : [pattern, real + pattern.slice(fixed.length)];
  });
}

/** The same place without links; what does not exist is kept as spelled. */
function locate(path: string): string {
  const real = realPath(path);
  if (real !== undefined || path === '/') return real ?? path;
  const slash = path.lastIndexOf('/');
  const parent = locate(path.slice(0, slash) || '/');
  return parent === '/' ? path.slice(slash) : parent + path.slice(slash);
}

function realPath(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

function exists(path: string): boolean {
  return identityOf(path) !== MISSING;
}

function entry(path: string, access: Access): PolicyEntry {
  return { path: { type: 'path', path }, access };
}

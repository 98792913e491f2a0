// A policy for one command: special paths become absolute paths, and one lookup answers what a path may be used for.
// Lexical only: symbolic links are the business of the platform builder. Building costs O(n log n) in entries,
// a lookup costs the depth of the path.
import { SandboxError } from '../errors.js';
import { isStronger } from './access-strength.js';
import { checkGlobs, hasGlobCharacters } from './glob/glob-pattern.js';
import { inTreeOrder, isAbsolutePath, joinPath, normalizePath } from './path-text.js';
import { PolicyLimits } from './policy-limits.js';
import type {
  Access,
  NetworkPolicy,
  PolicyContext,
  PolicyPath,
  SandboxPolicy,
  UnixSocketPolicy,
} from './policy-model.js';
import { defaultProtectedNames } from './protected-names.js';
import { checkPolicy } from './rules/policy-rules.js';

export interface PathRule {
  readonly path: string;
  readonly access: Access;
}

export interface ResolvedPolicy {
  /** False when no file rule is enforced at all. */
  readonly restrictsFiles: boolean;
  /** One rule per path, parents before children. */
  readonly rules: readonly PathRule[];
  /** Absolute deny globs, sorted, without repetition. */
  readonly denyGlobs: readonly string[];
  /** Paths below which nothing may be left when they did not exist before. */
  readonly removedWhenMissing: readonly string[];
  readonly globScanMaxDepth: number | undefined;
  /** The system directories are readable although `/` is not. */
  readonly includesPlatformDefaults: boolean;
  readonly fullDiskRead: boolean;
  readonly fullDiskWrite: boolean;
  readonly network: NetworkPolicy;
  readonly unixSockets: UnixSocketPolicy;
  readonly protectedNames: readonly string[];
  readonly cwd: string;
}

/** Those that were made here. An object that only looks like one has not been checked. */
const made = new WeakSet<object>();

export function isResolved(policy: SandboxPolicy | ResolvedPolicy): policy is ResolvedPolicy {
  return made.has(policy);
}

export function resolvePolicy(policy: SandboxPolicy, context: PolicyContext): ResolvedPolicy {
  const resolved = resolve(policy, context);
  made.add(resolved);
  return resolved;
}

/** The same globs and directory with other rules. Nothing that only the old rules meant is left. */
export function withRules(
  { denyGlobs, globScanMaxDepth, cwd }: ResolvedPolicy,
  changed: { readonly rules: readonly PathRule[]; readonly network: 'restricted' },
): ResolvedPolicy {
  const limits = new PolicyLimits();
  for (const { path } of changed.rules) limits.add(path);
  const resolved: ResolvedPolicy = {
    ...reachOf(changed.rules, { denyGlobs, includesMinimal: false }),
    restrictsFiles: true,
    denyGlobs,
    removedWhenMissing: [],
    globScanMaxDepth,
    network: changed.network,
    unixSockets: 'none',
    protectedNames: [],
    cwd,
  };
  made.add(resolved);
  return resolved;
}

function resolve(policy: SandboxPolicy, context: PolicyContext): ResolvedPolicy {
  checkPolicy(policy);
  const cwd = absolute(context.cwd, 'cwd');
  const rootLimits = new PolicyLimits();
  rootLimits.add(cwd);
  for (const root of context.workspaceRoots) rootLimits.add(root);
  const roots = context.workspaceRoots.map((root) => absolute(root, 'workspace root'));
  const resolveContext = { ...context, cwd, workspaceRoots: roots };
  const shared = {
    network: policy.network,
    unixSockets: policy.network === 'enabled' ? (policy.unixSockets ?? 'host') : 'none',
    protectedNames: checkNames(context.protectedNames ?? defaultProtectedNames),
    cwd,
  };
  const files = policy.fileSystem;
  if (files.type !== 'restricted') {
    const rules: PathRule[] = [{ path: '/', access: 'write' }];
    return { ...shared, ...openDisk, rules };
  }
  const strongest = new Map<string, Access>();
  const globs = new Set<string>();
  let minimal = false;
  const removed = new Set<string>();
  const limits = new PolicyLimits();
  for (const { path, access, whenMissing } of files.entries) {
    if (path.type === 'glob') globs.add(absoluteGlob(path.pattern, access, cwd));
    if (path.type === 'minimal') minimal ||= access !== 'deny';
    for (const resolved of resolvePath(path, resolveContext)) {
      limits.add(resolved);
      if (whenMissing === 'remove') removed.add(resolved);
      if (isStronger(access, strongest.get(resolved))) strongest.set(resolved, access);
    }
  }
  checkGlobs([...globs]);
  const rules = [...strongest].map(([path, access]) => ({ path, access }));
  const denyGlobs = [...globs].sort();
  return {
    ...shared,
    ...reachOf(rules, { denyGlobs, includesMinimal: minimal }),
    restrictsFiles: true,
    denyGlobs,
    removedWhenMissing: [...removed],
    globScanMaxDepth: files.globScanMaxDepth,
  };
}

/** The rules in order, and what they say about the disk as a whole. */
function reachOf(
  unsorted: readonly PathRule[],
  { denyGlobs, includesMinimal }: { denyGlobs: readonly string[]; includesMinimal: boolean },
): Pick<ResolvedPolicy, 'rules' | 'fullDiskRead' | 'fullDiskWrite' | 'includesPlatformDefaults'> {
  const rules = inTreeOrder(unsorted, ({ path }) => path);
  const rootAccess = rules.find(({ path }) => path === '/')?.access ?? 'deny';
  const denies = denyGlobs.length > 0 || rules.some((rule) => rule.access === 'deny');
  const narrows = denyGlobs.length > 0 || rules.some((rule) => rule.access !== 'write');
  const fullDiskRead = rootAccess !== 'deny' && !denies;
  return {
    rules,
    fullDiskRead,
    fullDiskWrite: rootAccess === 'write' && !narrows,
    includesPlatformDefaults: includesMinimal && !fullDiskRead,
  };
}

const openDisk = {
  restrictsFiles: false,
  denyGlobs: [],
  removedWhenMissing: [],
  globScanMaxDepth: undefined,
  includesPlatformDefaults: false,
  fullDiskRead: true,
  fullDiskWrite: true,
} as const;

function resolvePath(path: PolicyPath, context: PolicyContext): readonly string[] {
  switch (path.type) {
    case 'path':
      return [absolute(path.path, 'policy path')];
    case 'root':
      return ['/'];
    case 'workspaceRoots': {
      const { subpath } = path;
      if (subpath === undefined) return context.workspaceRoots;
      if (subpath.startsWith('/') || subpath.includes('\0') || subpath.split('/').includes('..')) {
        throw invalid(`the workspace subpath ${JSON.stringify(subpath)} leaves the workspace`);
      }
      return context.workspaceRoots.map((root) => joinPath(root, subpath));
    }
    case 'tmpdir':
      return context.tmpdir === undefined ? [] : [absolute(context.tmpdir, 'temporary directory')];
    case 'slashTmp':
      return ['/tmp'];
    case 'minimal':
    case 'glob':
      return [];
  }
}

function absoluteGlob(pattern: string, access: Access, cwd: string): string {
  if (access !== 'deny') throw invalid(`the glob ${pattern} grants ${access}; a glob can only deny`);
  if (pattern === '' || pattern.includes('\0')) throw invalid('a deny glob is empty or contains a NUL');
  const full = pattern.startsWith('/') ? pattern : joinPath(cwd, pattern);
  if (!hasGlobCharacters(full)) return normalizePath(full);
  return full;
}

function absolute(path: string, what: string): string {
  if (!isAbsolutePath(path)) throw invalid(`the ${what} ${JSON.stringify(path)} is not an absolute path`);
  return normalizePath(path);
}

function checkNames(names: readonly string[]): readonly string[] {
  for (const name of names) {
    if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name)) {
      throw invalid(`${JSON.stringify(name)} cannot be a protected name: it is not a single file name`);
    }
  }
  return names;
}

function invalid(message: string): SandboxError {
  return new SandboxError('SANDBOX_POLICY_INVALID', message);
}

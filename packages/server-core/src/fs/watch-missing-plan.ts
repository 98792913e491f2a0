// Which directory entries decide whether missing paths stay missing: for every directory on the way that is there, the
// name that leads on. A symbolic link on the way is not watched: what it leads to can change where nobody looks.
import { lstat } from './fs-calls.js';
import { isErrno } from './fs-error.js';
import { componentsOf, joinName, type NativePath, pathKey } from './native-path.js';

export interface WatchedNames {
  readonly directory: NativePath;
  readonly names: Set<string>;
}

/** By directory. */
export type WatchPlan = ReadonlyMap<string, WatchedNames>;

type EntryKind = 'directory' | 'other' | 'link' | 'missing' | 'unknown';

/** Undefined when a path is there after all, when `present` is not, or when it cannot be watched. */
export async function planWatch(
  missing: readonly NativePath[],
  present: NativePath | undefined,
): Promise<WatchPlan | undefined> {
  const plan = new Map<string, WatchedNames>();
  const look = rememberingLook();
  for (const path of missing) {
    if (!(await planOne(path, { plan, look, isWanted: (kind) => kind === 'missing' }))) return undefined;
  }
  const isThere = (kind: EntryKind) => kind === 'directory' || kind === 'other';
  if (present !== undefined && !(await planOne(present, { plan, look, isWanted: isThere }))) return undefined;
  return plan;
}

interface PlanState {
  readonly plan: Map<string, WatchedNames>;
  readonly look: (path: NativePath) => Promise<EntryKind>;
  readonly isWanted: (kind: EntryKind) => boolean;
}

async function planOne(path: NativePath, { plan, look, isWanted }: PlanState): Promise<boolean> {
  const names = componentsOf(path);
  let directory: NativePath = '/';
  for (const [index, name] of names.entries()) {
    const watched = plan.get(pathKey(directory)) ?? { directory, names: new Set() };
    watched.names.add(pathKey(name));
    plan.set(pathKey(directory), watched);
    const entry = joinName(directory, name);
    const kind = await look(entry);
    if (kind === 'missing' || index === names.length - 1) return isWanted(kind);
    if (kind !== 'directory') return false;
    directory = entry;
  }
  return false;
}

function rememberingLook(): (path: NativePath) => Promise<EntryKind> {
  const known = new Map<string, Promise<EntryKind>>();
  return (path) => {
    const key = pathKey(path);
    const kind = known.get(key) ?? kindOf(path);
    known.set(key, kind);
    return kind;
  };
}

async function kindOf(path: NativePath): Promise<EntryKind> {
  try {
    const stats = await lstat(path);
    if (stats.isSymbolicLink()) return 'link';
    return stats.isDirectory() ? 'directory' : 'other';
  } catch (error) {
    return isErrno(error, 'ENOENT') ? 'missing' : 'unknown';
  }
}

export function isSamePlan(one: WatchPlan, other: WatchPlan): boolean {
  if (one.size !== other.size) return false;
  for (const [key, { names }] of one) {
    const same = other.get(key)?.names;
    if (same?.size !== names.size || ![...names].every((name) => same.has(name))) return false;
  }
  return true;
}

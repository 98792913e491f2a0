// Which directory entries decide whether missing paths stay missing: for every directory on the way that is there, the
// name that leads on. A symbolic link on the way is not watched: what it leads to can change outside the watched
// directories.

import { isErrno } from '../fs-error.js';
import type { FileCalls } from '../local/calls/file-calls.js';
import { componentsOf, joinName, type NativePath, pathKey } from '../native-path.js';
import { type WatchScope, wholeDisk } from './watch-scope.js';
import type { MissingPaths } from './watcher.js';

export interface WatchedNames {
  readonly directory: NativePath;
  readonly names: Set<string>;
}

/** By directory. */
export type WatchPlan = ReadonlyMap<string, WatchedNames>;

export type EntryKind = 'directory' | 'other' | 'link' | 'missing' | 'unknown';

/** What of the disk a plan may be about. */
export interface PlanView extends Pick<WatchScope, 'at'> {
  /** Whether a directory can be watched; one that cannot must be known not to change. */
  watches(directory: NativePath): boolean;
  look(path: NativePath): Promise<EntryKind>;
}

export const everyPlace = (calls: FileCalls): PlanView => ({
  at: wholeDisk.at,
  watches: () => true,
  look: (path) => kindOf(calls, path),
});

/** Undefined when a path is there after all, when `present` is not, or when it cannot be watched. */
export async function planWatch(
  { missing, present }: MissingPaths,
  view: PlanView,
): Promise<WatchPlan | undefined> {
  const plan = new Map<string, WatchedNames>();
  const shared = { plan, view, look: remembering(view.look) };
  for (const path of missing) {
    if (!(await planOne(path, { ...shared, isWanted: (kind) => kind === 'missing' }))) return undefined;
  }
  const isThere = (kind: EntryKind) => kind === 'directory' || kind === 'other';
  if (present !== undefined && !(await planOne(present, { ...shared, isWanted: isThere }))) return undefined;
  return plan;
}

interface PlanState {
  readonly plan: Map<string, WatchedNames>;
  readonly view: PlanView;
  readonly look: (path: NativePath) => Promise<EntryKind>;
  readonly isWanted: (kind: EntryKind) => boolean;
}

async function planOne(path: NativePath, { plan, view, look, isWanted }: PlanState): Promise<boolean> {
  const names = componentsOf(path);
  let directory: NativePath = '/';
  for (const [index, name] of names.entries()) {
    const watched = plan.get(pathKey(directory)) ?? { directory, names: new Set() };
    watched.names.add(pathKey(name));
    if (view.watches(directory)) plan.set(pathKey(directory), watched);
    const entry = joinName(directory, name);
    const kind = await look(entry);
    if (kind === 'missing' || index === names.length - 1) return isWanted(kind);
    if (kind !== 'directory') return false;
    directory = entry;
  }
  return false;
}

function remembering(look: PlanView['look']): PlanView['look'] {
  const known = new Map<string, Promise<EntryKind>>();
  return (path) => {
    const key = pathKey(path);
    const kind = known.get(key) ?? look(path);
    known.set(key, kind);
    return kind;
  };
}

export async function kindOf(calls: FileCalls, path: NativePath): Promise<EntryKind> {
  try {
    const stats = await calls.lstat(path);
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

// What the sandboxed side can change, by real path. Made from the same located rules that the mounts are made from.
import { type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type Access, locatePolicy, type ResolvedPolicy } from '@codex/sandbox';

export interface LocatedPlaces {
  /** Something can be put at this path, or the folder there can be given other contents. The path has no links. */
  isWritable(path: string): boolean;
  /** Devices of the file systems that hold something writable. */
  readonly devices: ReadonlySet<number>;
  /** Equal for places that are the same. */
  readonly key: string;
}

export interface WritablePlaces extends Omit<LocatedPlaces, 'key'> {
  /** Another one whenever the answers may have changed. */
  readonly version: number;
  /** Whether `isWritable` holds for a path that may go through links, or not exist. */
  isWritableAnywhere(path: string): boolean;
}

export function writablePlaces(policy: ResolvedPolicy): LocatedPlaces {
  const access = locatePolicy(policy);
  const writable = [...access].flatMap(([path, allowed]) => (allowed === 'write' ? [path] : []));
  return {
    key: JSON.stringify([...access]),
    isWritable: (path) => nearest(access, path) === 'write',
    devices: new Set(writable.flatMap((path) => deviceOf(path) ?? [])),
  };
}

function nearest(access: ReadonlyMap<string, Access>, path: string): Access {
  for (let at = path; ; at = dirname(at)) {
    const found = access.get(at);
    if (found !== undefined) return found;
    if (at === '/') return 'deny';
  }
}

function deviceOf(path: string): number | undefined {
  let facts: Stats | undefined;
  try {
    facts = statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
  return facts?.dev;
}

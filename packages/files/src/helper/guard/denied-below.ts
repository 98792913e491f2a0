// Finds out whether a directory holds anything that the policy denies.
import type { AccessLookup } from '@codex/sandbox/access-lookup';
import { isErrno, otherError } from '../../fs-error.js';
import type { FileCalls } from '../../local/calls/file-calls.js';
import { listEntries } from '../../local/tree/directory-entries.js';
import { displayPath, joinName, type NativePath } from '../../native-path.js';

const MAX_ENTRIES = 200_000;

export interface Place {
  /** How to reach it. */
  readonly held: NativePath;
  /** Where it lies. */
  readonly real: string;
}

/** Something that is no directory holds nothing. */
export async function deniedBelow(place: Place, lookup: AccessLookup, calls: FileCalls): Promise<boolean> {
  const pending = [place];
  let seen = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const { name, kind } of await entriesOf(next.held, calls)) {
      seen += 1;
      if (seen > MAX_ENTRIES) throw otherError('the directory is too large to be moved under this sandbox');
      const path = `${next.real}/${displayPath(name)}`;
      if (!lookup.canRead(path)) return true;
      if (kind === 'directory' || kind === 'unknown') {
        pending.push({ held: joinName(next.held, name), real: path });
      }
    }
  }
  return false;
}

async function entriesOf(path: NativePath, calls: FileCalls): ReturnType<typeof listEntries> {
  try {
    return await listEntries(calls, path);
  } catch (error) {
    if (isErrno(error, 'ENOTDIR', 'ENOENT', 'ELOOP')) return [];
    throw error;
  }
}

// The entries of a tree that a client sends, checked before the first of them is written.

import { MAX_TREE_ENTRIES, staysInside, type TreeEntry, treeNames } from '@codex/exec-protocol';
import { type FsError, invalidInput } from '../../fs-error.js';
import { isPartialName } from './partial-file.js';

export interface CheckedEntry {
  readonly entry: TreeEntry;
  readonly names: readonly string[];
  /** Of a file. */
  readonly bytes: Uint8Array;
  /** Directories and links are there before what follows them, and a file before its next piece. */
  readonly isAlone: boolean;
}

const NOTHING = new Uint8Array(0);

export function checkEntries(entries: readonly TreeEntry[], payload: Uint8Array): CheckedEntry[] {
  if (entries.length > MAX_TREE_ENTRIES)
    throw invalidInput(`fs/writeTree takes at most ${MAX_TREE_ENTRIES} entries, not ${entries.length}`);
  let taken = 0;
  const checked = entries.map((entry) => {
    const names = treeNames(entry.path);
    if (names === undefined) throw refusal(entry, 'is no path below the root');
    if (names.length === 0 && (entry.kind === 'link' || (entry.kind === 'file' && entries.length > 1)))
      throw refusal(entry, 'has to be a directory, or a file alone');
    if (entry.partial !== undefined && (entry.kind !== 'file' || !isPartialName(entry.partial)))
      throw refusal(entry, 'has a partial name that is none');
    if (entry.kind === 'link' && !staysInside(entry.path, entry.target ?? ''))
      throw refusal(entry, 'is a link that leads out of the tree');
    const length = entry.kind === 'file' ? (entry.length ?? 0) : 0;
    const bytes = length === 0 ? NOTHING : payload.subarray(taken, taken + length);
    taken += length;
    return { entry, names, bytes, isAlone: entry.kind !== 'file' || (entry.offset ?? 0) > 0 };
  });
  if (taken !== payload.byteLength)
    throw invalidInput(`the entries have ${taken} bytes, the payload has ${payload.byteLength}`);
  return checked;
}

function refusal({ path }: TreeEntry, why: string): FsError {
  return invalidInput(`entry ${JSON.stringify(path)} ${why}`);
}

// Whether a directory holds anything that the policy denies.
import type { AccessLookup } from '@codex/sandbox';
import { isErrno, otherError } from '../../fs-error.js';
import { listEntries } from '../../local/tree/directory-entries.js';
import { displayPath, joinName, type NativePath } from '../../native-path.js';

const MAX_ENTRIES = 200_000;

/** `held` is how to reach the directory, `real` where it lies. Something that is no directory holds nothing. */
export async function deniedBelow(held: NativePath, real: string, lookup: AccessLookup): Promise<boolean> {
  const pending: { held: NativePath; real: string }[] = [{ held, real }];
  let seen = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    for (const { name, kind } of await entriesOf(next.held)) {
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

async function entriesOf(path: NativePath): ReturnType<typeof listEntries> {
  try {
    return await listEntries(path);
  } catch (error) {
    if (isErrno(error, 'ENOTDIR', 'ENOENT', 'ELOOP')) return [];
    throw error;
  }
}

// Removes a directory tree through open directories, so that a directory that is swapped for a link meanwhile is
// unlinked and never entered. Off Linux entries are reached by path, and such a swap can win there.
import { forEachBounded } from '../../bounded-parallel.js';
import { isErrno } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import type { OpenDirectory } from '../paths/open-directory.js';
import { type DirectoryEntryInfo, listEntries } from './directory-entries.js';

const PARALLEL_UNLINKS = 16;
/** A directory that others keep filling is given up after this many sweeps, with the error of its rmdir. */
const MAX_SWEEPS = 4;

export async function removeTree(
  calls: FileCalls,
  parent: OpenDirectory,
  name: NativePath,
  signal?: AbortSignal,
): Promise<void> {
  for (let sweep = 1; ; sweep += 1) {
    await removeContents(calls, parent, name, signal);
    try {
      return await ignoreMissing(calls.rmdir(parent.entry(name)));
    } catch (error) {
      const isRefilled = isErrno(error, 'ENOTEMPTY', 'EEXIST');
      if (!isRefilled || sweep === MAX_SWEEPS) throw error;
    }
  }
}

async function removeContents(
  calls: FileCalls,
  parent: OpenDirectory,
  name: NativePath,
  signal?: AbortSignal,
): Promise<void> {
  const directory = await parent.openChild(name, 'list');
  try {
    const entries = await listEntries(calls, directory.self);
    const isDirectory = ({ kind }: DirectoryEntryInfo) => kind === 'directory';
    await forEachBounded(
      entries.filter((entry) => !isDirectory(entry)),
      PARALLEL_UNLINKS,
      (entry) => removeLeaf(calls, directory, entry, signal),
    );
    // One at a time: each level holds a descriptor, and a wide tree would hold one per directory.
    for (const entry of entries.filter(isDirectory)) {
      signal?.throwIfAborted();
      await removeChildDirectory(calls, directory, entry.name, signal);
    }
  } finally {
    await directory.close();
  }
}

async function removeLeaf(
  calls: FileCalls,
  directory: OpenDirectory,
  entry: DirectoryEntryInfo,
  signal?: AbortSignal,
): Promise<void> {
  signal?.throwIfAborted();
  try {
    await ignoreMissing(calls.unlink(directory.entry(entry.name)));
  } catch (error) {
    if (entry.kind !== 'unknown' || !isErrno(error, 'EISDIR', 'EPERM')) throw error;
    await removeTree(calls, directory, entry.name, signal);
  }
}

async function removeChildDirectory(
  calls: FileCalls,
  directory: OpenDirectory,
  name: NativePath,
  signal?: AbortSignal,
): Promise<void> {
  try {
    await removeTree(calls, directory, name, signal);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return;
    // The listing called it a directory and it is a link or a file by the time it is opened.
    if (!isErrno(error, 'ENOTDIR')) throw error;
    await ignoreMissing(calls.unlink(directory.entry(name)));
  }
}

async function ignoreMissing(removal: Promise<void>): Promise<void> {
  try {
    await removal;
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
}

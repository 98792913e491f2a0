// Copies a directory tree through open directories on both sides: a directory that is swapped for a link meanwhile
// is not followed (on Linux; elsewhere entries are reached by path). Links are copied as links, FIFOs, sockets and
// devices are left out. An existing destination directory is merged into.

import { forEachBounded } from '../../bounded-parallel.js';
import { isErrno } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { copyContents } from '../contents/copy-contents.js';
import { OpenDirectory } from '../paths/open-directory.js';
import { createDirectory } from './create-directory.js';
import { type DirectoryEntryInfo, entryBatches } from './directory-entries.js';

/** Each copy under way holds a block and two descriptors. */
const PARALLEL_COPIES = 4;

interface Sides {
  readonly from: OpenDirectory;
  readonly to: OpenDirectory;
}

export async function copyTree(
  calls: FileCalls,
  source: NativePath,
  destination: NativePath,
  signal?: AbortSignal,
): Promise<void> {
  const from = await OpenDirectory.open(calls, source, 'list');
  try {
    await createDirectory(calls, destination, { recursive: true });
    const to = await OpenDirectory.open(calls, destination, 'search');
    await copyEntries(calls, { from, to }, signal).finally(() => to.close());
  } finally {
    await from.close();
  }
}

async function copyEntries(calls: FileCalls, sides: Sides, signal?: AbortSignal): Promise<void> {
  for await (const batch of entryBatches(calls, sides.from.self)) {
    const leaves: DirectoryEntryInfo[] = [];
    const directories: NativePath[] = [];
    for (const entry of batch) {
      const kind = entry.kind === 'unknown' ? await kindOf(calls, sides.from.entry(entry.name)) : entry.kind;
      if (kind === 'directory') directories.push(entry.name);
      else leaves.push({ name: entry.name, kind });
    }
    await forEachBounded(leaves, PARALLEL_COPIES, (leaf) => copyLeaf(calls, sides, leaf, signal));
    for (const name of directories) await copySubdirectory(calls, sides, name, signal);
  }
}

async function copyLeaf(
  calls: FileCalls,
  { from, to }: Sides,
  leaf: DirectoryEntryInfo,
  signal?: AbortSignal,
): Promise<void> {
  const source = from.entry(leaf.name);
  const destination = to.entry(leaf.name);
  signal?.throwIfAborted();
  if (leaf.kind === 'symlink') await calls.symlink(await calls.readlink(source), destination);
  else if (leaf.kind === 'file') await copyContents(calls, source, destination, signal);
}

async function copySubdirectory(
  calls: FileCalls,
  { from, to }: Sides,
  name: NativePath,
  signal?: AbortSignal,
): Promise<void> {
  const source = await from.openChild(name, 'list');
  try {
    // A private directory stays private; the owner must be able to fill the copy.
    const mode = ((await calls.fstat(source.fd)).mode & 0o777) | 0o700;
    await calls.mkdir(to.entry(name), mode).catch((error: unknown) => {
      if (!isErrno(error, 'EEXIST')) throw error;
    });
    const destination = await to.openChild(name, 'search');
    await copyEntries(calls, { from: source, to: destination }, signal).finally(() => destination.close());
  } finally {
    await source.close();
  }
}

async function kindOf(calls: FileCalls, path: NativePath): Promise<DirectoryEntryInfo['kind']> {
  const stats = await calls.lstat(path);
  if (stats.isDirectory()) return 'directory';
  if (stats.isSymbolicLink()) return 'symlink';
  return stats.isFile() ? 'file' : 'special';
}

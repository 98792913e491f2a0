// Copies a directory tree through open directories on both sides: a directory that is swapped for a link meanwhile
// is not followed (on Linux; elsewhere entries are reached by path). Links are copied as links, FIFOs, sockets and
// devices are left out. An existing destination directory is merged into.

import { forEachBounded } from '../../bounded-parallel.js';
import { isErrno } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import { fstat, lstat, mkdir, readlink, symlink } from '../calls/fs-calls.js';
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
  source: NativePath,
  destination: NativePath,
  signal?: AbortSignal,
): Promise<void> {
  const from = await OpenDirectory.open(source, 'list');
  try {
    await createDirectory(destination, { recursive: true });
    const to = await OpenDirectory.open(destination, 'search');
    await copyEntries({ from, to }, signal).finally(() => to.close());
  } finally {
    await from.close();
  }
}

async function copyEntries(sides: Sides, signal?: AbortSignal): Promise<void> {
  for await (const batch of entryBatches(sides.from.self)) {
    const leaves: DirectoryEntryInfo[] = [];
    const directories: NativePath[] = [];
    for (const entry of batch) {
      const kind = entry.kind === 'unknown' ? await kindOf(sides.from.entry(entry.name)) : entry.kind;
      if (kind === 'directory') directories.push(entry.name);
      else leaves.push({ name: entry.name, kind });
    }
    await forEachBounded(leaves, PARALLEL_COPIES, (leaf) => copyLeaf(sides, leaf, signal));
    for (const name of directories) await copySubdirectory(sides, name, signal);
  }
}

async function copyLeaf({ from, to }: Sides, leaf: DirectoryEntryInfo, signal?: AbortSignal): Promise<void> {
  const source = from.entry(leaf.name);
  const destination = to.entry(leaf.name);
  signal?.throwIfAborted();
  if (leaf.kind === 'symlink') await symlink(await readlink(source), destination);
  else if (leaf.kind === 'file') await copyContents(source, destination, signal);
}

async function copySubdirectory({ from, to }: Sides, name: NativePath, signal?: AbortSignal): Promise<void> {
  const source = await from.openChild(name, 'list');
  try {
    // A private directory stays private; the owner must be able to fill the copy.
    const mode = ((await fstat(source.fd)).mode & 0o777) | 0o700;
    await mkdir(to.entry(name), mode).catch((error: unknown) => {
      if (!isErrno(error, 'EEXIST')) throw error;
    });
    const destination = await to.openChild(name, 'search');
    await copyEntries({ from: source, to: destination }, signal).finally(() => destination.close());
  } finally {
    await source.close();
  }
}

async function kindOf(path: NativePath): Promise<DirectoryEntryInfo['kind']> {
  const stats = await lstat(path);
  if (stats.isDirectory()) return 'directory';
  if (stats.isSymbolicLink()) return 'symlink';
  return stats.isFile() ? 'file' : 'special';
}

// Listing one directory, unsorted, as the peer does: links count as what they lead to, broken links are left out.

import type { Stats } from 'node:fs';
import { forEachBounded } from '../../bounded-parallel.js';
import type { DirectoryEntry } from '../../file-system.js';
import { otherError } from '../../fs-error.js';
import { displayPath, joinName, type NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { type DirectoryEntryInfo, entryBatches } from './directory-entries.js';

const PARALLEL_STATS = 32;

export async function readDirectory(
  calls: FileCalls,
  path: NativePath,
  maxEntries: number,
): Promise<DirectoryEntry[]> {
  const entries: DirectoryEntry[] = [];
  let count = 0;
  for await (const batch of entryBatches(calls, path)) {
    const described = await describeBatch(calls, path, batch);
    count += described.length;
    if (count <= maxEntries) entries.push(...described);
  }
  if (count > maxEntries) {
    throw otherError(`fs/readDirectory returned ${count} entries; limit is ${maxEntries}`);
  }
  return entries;
}

async function describeBatch(
  calls: FileCalls,
  directory: NativePath,
  batch: readonly DirectoryEntryInfo[],
): Promise<DirectoryEntry[]> {
  const resolved = new Map<DirectoryEntryInfo, Stats | undefined>();
  const unresolved = batch.filter(({ kind }) => kind === 'symlink' || kind === 'unknown');
  await forEachBounded(unresolved, PARALLEL_STATS, async (entry) => {
    resolved.set(entry, await calls.stat(joinName(directory, entry.name)).catch(() => undefined));
  });
  const described: DirectoryEntry[] = [];
  for (const entry of batch) {
    const { name, kind } = entry;
    const fileName = displayPath(name);
    if (!resolved.has(entry)) {
      described.push({ fileName, isDirectory: kind === 'directory', isFile: kind === 'file' });
      continue;
    }
    const stats = resolved.get(entry);
    if (stats) described.push({ fileName, isDirectory: stats.isDirectory(), isFile: stats.isFile() });
  }
  return described;
}

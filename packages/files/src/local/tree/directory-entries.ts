// Reading a directory in batches, with names as bytes, so that a directory of millions costs no more than a batch.
import type { Dirent } from 'node:fs';
import { toFsError } from '../../fs-error.js';
import { fromBytes, type NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';

export interface DirectoryEntryInfo {
  readonly name: NativePath;
  /** `unknown` on file systems whose listings carry no kinds. */
  readonly kind: 'directory' | 'file' | 'symlink' | 'special' | 'unknown';
}

const BATCH = 512;

export async function* entryBatches(
  calls: FileCalls,
  directory: NativePath,
): AsyncGenerator<DirectoryEntryInfo[]> {
  const handle = await calls.opendir(directory);
  try {
    for (;;) {
      const batch: DirectoryEntryInfo[] = [];
      while (batch.length < BATCH) {
        const entry = await handle.read();
        if (entry === null) break;
        batch.push(describeEntry(entry));
      }
      if (batch.length > 0) yield batch;
      if (batch.length < BATCH) return;
    }
  } catch (error) {
    throw toFsError(error);
  } finally {
    await handle.close();
  }
}

export async function listEntries(calls: FileCalls, directory: NativePath): Promise<DirectoryEntryInfo[]> {
  const entries: DirectoryEntryInfo[] = [];
  for await (const batch of entryBatches(calls, directory)) entries.push(...batch);
  return entries;
}

export function describeEntry(entry: Dirent): DirectoryEntryInfo {
  return { name: fromBytes(entry.name as unknown as Uint8Array), kind: kindOf(entry) };
}

function kindOf(entry: Dirent): DirectoryEntryInfo['kind'] {
  if (entry.isFile()) return 'file';
  if (entry.isDirectory()) return 'directory';
  if (entry.isSymbolicLink()) return 'symlink';
  const isSpecial = entry.isFIFO() || entry.isSocket() || entry.isCharacterDevice() || entry.isBlockDevice();
  return isSpecial ? 'special' : 'unknown';
}

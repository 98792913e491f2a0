// A tree whose root is a file: one file, with the mode and the time of a tree's, in as many pieces as it takes.
import { Buffer } from 'node:buffer';
import type { Stats } from 'node:fs';
import { TREE_PAYLOAD_BYTES, type TreeCursor, type TreeEntry } from '@codex/exec-protocol';
import type { ReadTreeOptions, TreePart } from '../../file-system.js';
import { errnoError, otherError } from '../../fs-error.js';
import { type NativePath, nameOf, parentOf } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { followLinks } from '../contents/atomic-write.js';
import { OpenDirectory } from '../paths/open-directory.js';
import { openForReading } from '../paths/regular-file.js';
import type { CheckedEntry } from './checked-entries.js';
import { PERMISSIONS } from './open-entry.js';

/** Where a root that is a file is written. A link is written through, as `fs/writeFile` does. */
export async function atRootFile<T>(
  calls: FileCalls,
  root: NativePath,
  act: (directory: OpenDirectory, name: NativePath) => Promise<T>,
): Promise<T> {
  const destination = await followLinks(calls, root);
  const name = nameOf(destination);
  if (name === undefined || name === '..') throw errnoError('EISDIR');
  const directory = await OpenDirectory.open(calls, parentOf(destination), 'search');
  try {
    return await act(directory, name);
  } finally {
    await directory.close();
  }
}

export function isRootFile({ entry, names }: CheckedEntry): boolean {
  return names.length === 0 && entry.kind === 'file';
}

export async function readRootFile(
  calls: FileCalls,
  root: NativePath,
  { after, memoryFor }: ReadTreeOptions,
): Promise<TreePart> {
  const { fd, stats } = await openForReading(calls, root, { path: root, openFlags: 0, followsLinks: true });
  try {
    const offset = after?.offset ?? 0;
    const length = Math.min(Math.max(stats.size - offset, 0), TREE_PAYLOAD_BYTES);
    const buffer = bufferOf(length, memoryFor);
    let taken = 0;
    while (taken < length) {
      const slice = { buffer, offset: taken, length: length - taken, position: offset + taken };
      const count = await calls.read(fd, slice);
      if (count === 0) break;
      taken += count;
    }
    const now = await calls.fstat(fd);
    // One that grew meanwhile, as a log does, has another version in the next piece: the client judges.
    if (versionOf(now) !== versionOf(stats) && now.size <= stats.size)
      throw otherError('the file was changed while it was read');
    return {
      entries: [entryOf(stats, { offset, length: taken })],
      skipped: [],
      next: behind(stats, offset + taken),
      bytes: buffer.subarray(0, taken),
    };
  } finally {
    await calls.close(fd);
  }
}

function bufferOf(length: number, memoryFor: ReadTreeOptions['memoryFor']): Buffer {
  const lent = length === 0 ? undefined : memoryFor?.(length);
  return lent === undefined
    ? Buffer.allocUnsafeSlow(length)
    : Buffer.from(lent.buffer, lent.byteOffset, length);
}

function entryOf(stats: Stats, { offset, length }: { offset: number; length: number }): TreeEntry {
  const { mode, mtimeMs, size } = stats;
  const place = offset === 0 ? {} : { offset };
  return {
    path: '',
    kind: 'file',
    mode: mode & PERMISSIONS,
    modifiedAtMs: Math.floor(mtimeMs),
    size,
    ...place,
    length,
    file: identityOf(stats),
    version: versionOf(stats),
  };
}

function behind({ size }: Stats, offset: number): TreeCursor | null {
  return offset < size ? { path: '', offset } : null;
}

/**
 * Another file, or other contents, have another version.
 * What it does not stop: contents that are changed within one tick of the kernel's clock, or whose time is set back.
 */
function versionOf(stats: Stats): string {
  return [identityOf(stats), stats.size, stats.mtimeMs].join('-');
}

function identityOf({ dev, ino }: Stats): string {
  return `${dev}-${ino}`;
}

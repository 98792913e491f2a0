// A tree whose root is a file: one file, with the mode and the time of a tree's, in as many pieces as it takes.
import { Buffer } from 'node:buffer';
import type { Stats } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { lookPastAppend, TREE_PAYLOAD_BYTES, type TreeCursor, type TreeEntry } from '@codex/exec-protocol';
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
    let memory: Buffer | undefined;
    const look = async (): Promise<TreePart | undefined> => {
      const before = memory === undefined ? stats : await calls.fstat(fd);
      const length = Math.min(Math.max(before.size - offset, 0), TREE_PAYLOAD_BYTES);
      if (memory === undefined || memory.length < length) memory = bufferOf(length, memoryFor);
      const bytes = await readPiece(calls, fd, { buffer: memory.subarray(0, length), offset });
      const now = await calls.fstat(fd);
      // One that grew meanwhile, as a log does, has another version in the next piece: the client judges.
      if (versionOf(now) !== versionOf(before) && now.size <= before.size) return undefined;
      return {
        entries: [entryOf(before, { offset, length: bytes.length })],
        skipped: [],
        next: behind(before, offset + bytes.length),
        bytes,
      };
    };
    const part = await lookPastAppend({ look, mayBeBetween: (seen) => seen === undefined, pause: sleep });
    if (part === undefined) throw otherError('the file was changed while it was read');
    return part;
  } finally {
    await calls.close(fd);
  }
}

async function readPiece(
  calls: FileCalls,
  fd: number,
  { buffer, offset }: { readonly buffer: Buffer; readonly offset: number },
): Promise<Buffer> {
  let taken = 0;
  while (taken < buffer.length) {
    const slice = { buffer, offset: taken, length: buffer.length - taken, position: offset + taken };
    const count = await calls.read(fd, slice);
    if (count === 0) break;
    taken += count;
  }
  return buffer.subarray(0, taken);
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

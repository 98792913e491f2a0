// Writes what is there already in place, where a file beside it cannot be made or cannot take its name: a policy, a read-only
// mount or the permissions of the directory leave only the file itself. Not whole or nothing: a failure leaves a part.
import { Buffer } from 'node:buffer';
import * as fs from 'node:fs';
import type { TreeEntry } from '@codex/exec-protocol';
import { errnoError, invalidInput, isErrno } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { openExisting, setTime } from './open-entry.js';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;
const OWNER_WRITES = 0o200;
const BLOCK_BYTES = 1024 * 1024;

/** Under a policy a place that is not its own is not there. */
export function isNotAllowed(error: unknown): boolean {
  return isErrno(error, 'EACCES', 'EPERM', 'EROFS', 'ENOENT');
}

/** Whether a file could be made there; it is gone again. */
export async function canMake(calls: FileCalls, place: NativePath): Promise<boolean> {
  try {
    await calls.close(await calls.open(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, OWNER_WRITES));
  } catch (error) {
    return !isNotAllowed(error);
  }
  await calls.unlink(place);
  return true;
}

export interface PieceInPlace {
  readonly entry: TreeEntry;
  readonly bytes: Uint8Array;
  readonly offset: number;
  /** When it is whole. */
  readonly mode: number;
  readonly isLast: boolean;
}

export async function writeInPlace(calls: FileCalls, target: NativePath, piece: PieceInPlace): Promise<void> {
  const { entry, bytes, offset, mode, isLast } = piece;
  const fd = await openExisting(calls, target);
  try {
    const { size } = await calls.fstat(fd);
    if (offset > size) throw invalidInput('a piece is missing before this one');
    if (offset === 0) await begin(calls, fd, { mode, size });
    if (bytes.byteLength > 0) await calls.writeAll(fd, bytes, offset);
    if (isLast) await finish(calls, fd, { entry, mode });
  } finally {
    await calls.close(fd);
  }
}

/** What is whole beside the target becomes its contents. */
export async function moveContents(
  calls: FileCalls,
  place: NativePath,
  { target, entry, mode }: { readonly target: NativePath; readonly entry: TreeEntry; readonly mode: number },
): Promise<void> {
  const to = await openExisting(calls, target);
  try {
    const from = await calls.open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    try {
      await begin(calls, to, { mode, size: (await calls.fstat(to)).size });
      const buffer = Buffer.allocUnsafeSlow(BLOCK_BYTES);
      for (let position = 0; ; ) {
        const count = await calls.read(from, { buffer, offset: 0, length: buffer.length, position });
        if (count === 0) break;
        await calls.writeAll(to, buffer.subarray(0, count), position);
        position += count;
      }
    } finally {
      await calls.close(from);
    }
    await finish(calls, to, { entry, mode });
  } finally {
    await calls.close(to);
  }
  await calls.unlink(place);
}

/** It holds nothing, so nothing of it could be half-written. */
export async function writeDevice(calls: FileCalls, target: NativePath, bytes: Uint8Array): Promise<void> {
  const fd = await calls.open(target, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
  try {
    if (!(await calls.fstat(fd)).isCharacterDevice()) throw errnoError('EEXIST');
    await calls.writeAll(fd, bytes, null);
  } finally {
    await calls.close(fd);
  }
}

/** The mode and the time of a file that belongs to somebody else stay what they are. */
async function begin(
  calls: FileCalls,
  fd: number,
  { mode, size }: { readonly mode: number; readonly size: number },
): Promise<void> {
  await calls.setMode(fd, mode | OWNER_WRITES).catch(() => undefined);
  if (size > 0) await calls.ftruncate(fd, 0);
}

async function finish(
  calls: FileCalls,
  fd: number,
  { entry, mode }: { readonly entry: TreeEntry; readonly mode: number },
): Promise<void> {
  await calls.setMode(fd, mode).catch(() => undefined);
  await setTime(calls, fd, entry).catch(() => undefined);
}

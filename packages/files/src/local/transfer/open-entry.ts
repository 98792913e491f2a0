// Opens the file that an entry of a tree is written to. No link is followed: one that stands there is replaced.
import * as fs from 'node:fs';
import type { TreeEntry } from '@codex/exec-protocol';
import { errnoError, isErrno } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;
const OWNER_WRITES = 0o200;
export const PERMISSIONS = 0o777;

export function modeOf({ mode = 0o666 }: TreeEntry): number {
  return mode & PERMISSIONS;
}

export async function setMode(calls: FileCalls, fd: number, { mode }: TreeEntry): Promise<void> {
  if (mode !== undefined) await calls.setMode(fd, mode & PERMISSIONS);
}

export async function setTime(calls: FileCalls, fd: number, { modifiedAtMs }: TreeEntry): Promise<void> {
  if (modifiedAtMs !== undefined) await calls.setTime(fd, modifiedAtMs);
}

/** What was there is closed to others before it is emptied. */
export async function openEmpty(calls: FileCalls, place: NativePath, entry: TreeEntry): Promise<number> {
  const create = (): Promise<number> =>
    calls.open(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, modeOf(entry));
  try {
    return await create();
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  }
  if ((await calls.lstat(place)).isSymbolicLink()) {
    await calls.unlink(place);
    return create();
  }
  const fd = await openExisting(calls, place);
  try {
    await setMode(calls, fd, entry);
    await calls.ftruncate(fd, 0);
    return fd;
  } catch (error) {
    await calls.close(fd);
    throw error;
  }
}

export async function openExisting(calls: FileCalls, place: NativePath): Promise<number> {
  mustBeFile(await calls.lstat(place));
  const open = (): Promise<number> => calls.open(place, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
  const fd = await open().catch((error: unknown) => {
    if (!isErrno(error, 'EACCES')) throw error;
    return openForItsOwner(calls, place, { open, error });
  });
  const stats = await calls.fstat(fd);
  if (stats.isFile()) return fd;
  await calls.close(fd);
  throw errnoError('EEXIST');
}

/** Opening a FIFO or a device may wake what is behind it. */
export function mustBeFile(found: fs.Stats): void {
  if (found.isDirectory()) throw errnoError('EISDIR');
  if (!found.isFile()) throw errnoError('EEXIST');
}

/** A file that its own mode keeps from being written, such as one of which the beginning came with the message before. */
async function openForItsOwner(
  calls: FileCalls,
  place: NativePath,
  { open, error }: { readonly open: () => Promise<number>; readonly error: unknown },
): Promise<number> {
  const reading = await calls.open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => {
    throw error;
  });
  try {
    const stats = await calls.fstat(reading);
    const mode = stats.mode & PERMISSIONS;
    if (!stats.isFile() || (mode & OWNER_WRITES) !== 0) throw error;
    await calls.setMode(reading, mode | OWNER_WRITES);
    try {
      return await open();
    } finally {
      await calls.setMode(reading, mode);
    }
  } finally {
    await calls.close(reading);
  }
}

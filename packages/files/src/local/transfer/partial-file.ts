// A file that has its name only when it is whole: its pieces go to `.PARTIAL.part` beside it, and the last one renames that.
// A piece whose answer was lost is written again; when the file is whole by then, there is nothing left to do.
// Where nothing can be made beside a file that is there, or nothing can take its name, it is written in place.
// What it does not stop: a client that never sends the last piece, nor removes the partial file, leaves it there.
import type { Stats } from 'node:fs';
import type { TreeEntry } from '@codex/exec-protocol';
import { invalidInput, isErrno } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import type { OpenDirectory } from '../paths/open-directory.js';
import { canMake, isNotAllowed, moveContents, writeDevice, writeInPlace } from './in-place.js';
import { modeOf, mustBeFile, openEmpty, openExisting, setTime } from './open-entry.js';

const OWNER = 0o700;
const OWNER_WRITES = 0o200;
const PARTIAL = /^[\w-]{1,64}$/;

export function isPartialName(text: string): boolean {
  return PARTIAL.test(text);
}

export interface FilePiece {
  readonly directory: OpenDirectory;
  readonly name: NativePath;
  readonly entry: TreeEntry & { readonly partial: string };
  readonly bytes: Uint8Array;
}

export async function writePartial(calls: FileCalls, piece: FilePiece): Promise<void> {
  const { directory, name, entry, bytes } = piece;
  const { offset = 0, size = bytes.byteLength, partial } = entry;
  const place = directory.entry(`.${partial}.part`);
  const target = directory.entry(name);
  const isLast = offset + bytes.byteLength >= size;
  const existing = await statExisting(calls, target);
  if (existing?.isCharacterDevice() === true && entry.path === '' && offset === 0 && isLast)
    return writeDevice(calls, target, bytes);
  if (existing !== undefined) mustBeFile(existing);
  // Neither wider than the source nor, for others, than what it replaces.
  const mode = modeOf(entry) & (existing === undefined ? 0o777 : existing.mode | OWNER);
  const writable = entry.mode === undefined ? entry : { ...entry, mode: mode | OWNER_WRITES };
  try {
    const fd = await openPartial(calls, place, { entry: writable, existing });
    if (fd === undefined) return await writeInPlace(calls, target, { entry, bytes, offset, mode, isLast });
    try {
      if (offset > 0 && (await calls.fstat(fd)).size < offset)
        throw invalidInput('a piece is missing before this one');
      if (bytes.byteLength > 0) await calls.writeAll(fd, bytes, offset);
      if (isLast) await finish(calls, fd, { entry, mode, existing });
    } finally {
      await calls.close(fd);
    }
    if (isLast) await giveName(calls, place, { target, entry, mode, existing });
  } catch (error) {
    if (isErrno(error, 'ENOENT') && offset > 0 && isFinished(await statExisting(calls, target), entry))
      return;
    await calls.unlink(place).catch(() => undefined);
    throw error;
  }
}

/** Undefined when no file can be made there, but the one that it would replace may be written in place. */
async function openPartial(
  calls: FileCalls,
  place: NativePath,
  { entry, existing }: { readonly entry: TreeEntry; readonly existing: Stats | undefined },
): Promise<number | undefined> {
  const isFirst = (entry.offset ?? 0) === 0;
  try {
    return await (isFirst ? openEmpty(calls, place, entry) : openExisting(calls, place));
  } catch (error) {
    if (existing === undefined || !isNotAllowed(error)) throw error;
    if (!isFirst && (isFinished(existing, entry) || (await canMake(calls, place)))) throw error;
    return undefined;
  }
}

interface Finished {
  readonly entry: TreeEntry;
  readonly mode: number;
  readonly existing: Stats | undefined;
}

async function finish(calls: FileCalls, fd: number, { entry, mode, existing }: Finished): Promise<void> {
  // Only a privileged server may give files away; for others the new file is theirs.
  if (existing !== undefined) await calls.fchown(fd, existing.uid, existing.gid).catch(() => undefined);
  if (entry.mode !== undefined || existing !== undefined) await calls.setMode(fd, mode);
  await setTime(calls, fd, entry);
}

async function giveName(
  calls: FileCalls,
  place: NativePath,
  { target, entry, mode, existing }: Finished & { readonly target: NativePath },
): Promise<void> {
  try {
    await calls.rename(place, target);
  } catch (error) {
    // A mount point, or a file of somebody else in a sticky directory.
    if (existing === undefined || !isErrno(error, 'EBUSY', 'EPERM', 'EACCES')) throw error;
    await moveContents(calls, place, { target, entry, mode });
  }
}

/** Undefined where there is nothing, or a link, which is replaced. */
async function statExisting(calls: FileCalls, place: NativePath): Promise<Stats | undefined> {
  try {
    const found = await calls.lstat(place);
    return found.isSymbolicLink() ? undefined : found;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Whether the file that stands there is the one whose last piece was written before. */
function isFinished(existing: Stats | undefined, { size, modifiedAtMs }: TreeEntry): boolean {
  return existing?.size === size && Math.floor(existing?.mtimeMs ?? Number.NaN) === modifiedAtMs;
}

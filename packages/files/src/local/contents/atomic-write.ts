// Replacing a file in one step: the new contents are written beside it, flushed to the disk, and renamed over it.
// A crash leaves the old file or the new one.
// What it does not stop: a process that is killed between creating the temporary file and renaming it leaves
// `.codex-<random>.tmp` behind. A file without a name (O_TMPFILE) cannot be given one from Node, which has no linkat that
// follows /proc/self/fd, and a later writer cannot tell whether the process that left it is alive: helpers have process
// ids of their own, and Node cannot lock a file.

import { randomBytes } from 'node:crypto';
import * as fs from 'node:fs';
import type { FollowOption } from '../../file-system.js';
import { errnoError, isErrno } from '../../fs-error.js';
import { joinName, type NativePath, nameOf, parentOf, toBytes } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { noFollowComponents, OpenDirectory, openDirectoryNoFollow } from '../paths/open-directory.js';
import { notAFileError } from '../paths/regular-file.js';

export interface ReplaceOptions extends FollowOption {
  readonly exclusive?: boolean;
  readonly mode?: number;
}

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = fs.constants;
const MAX_LINKS = 40;
/** Set-user-id and set-group-id: not to be given to a file that has another owner than the one it replaces. */
const RUNS_AS_OWNER = 0o6000;

export async function replaceFile(
  calls: FileCalls,
  path: NativePath,
  bytes: Uint8Array,
  options: ReplaceOptions,
): Promise<void> {
  const follow = options.followSymlinks !== false;
  const destination = follow && options.exclusive !== true ? await followLinks(calls, path) : path;
  const name = nameOf(destination);
  if (name === undefined || name === '..') throw errnoError('EISDIR');
  const directory = follow
    ? await OpenDirectory.open(calls, parentOf(destination), 'search')
    : await openDirectoryNoFollow(calls, noFollowComponents(destination).slice(0, -1));
  try {
    const entry = directory.entry(name);
    const existing = await statExisting(calls, entry);
    if (existing && options.exclusive === true) throw errnoError('EEXIST');
    if (existing && !existing.isFile()) throw existingKindError(existing, path, follow);
    await writeBeside(calls, directory, { entry, existing, bytes, options });
  } finally {
    await directory.close();
  }
}

interface Replacement {
  readonly entry: NativePath;
  readonly existing: fs.Stats | undefined;
  readonly bytes: Uint8Array;
  readonly options: ReplaceOptions;
}

async function writeBeside(
  calls: FileCalls,
  directory: OpenDirectory,
  replacement: Replacement,
): Promise<void> {
  const { entry, existing, bytes, options } = replacement;
  const temporary = directory.entry(`.codex-${randomBytes(8).toString('hex')}.tmp`);
  const mode = existing ? existing.mode & 0o7777 : options.mode;
  const fd = await calls.open(
    temporary,
    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW,
    (mode ?? 0o666) & ~RUNS_AS_OWNER,
  );
  try {
    try {
      await calls.writeAll(fd, bytes, 0);
      const isOwnersOwn = existing === undefined || (await keepOwner(calls, fd, existing));
      if (mode !== undefined) await calls.fchmod(fd, isOwnersOwn ? mode : mode & ~RUNS_AS_OWNER);
      await calls.fsync(fd);
    } finally {
      await calls.close(fd);
    }
    // calls.link() refuses an existing name in the same step, calls.rename() would replace it.
    if (options.exclusive === true) await calls.link(temporary, entry);
    else await calls.rename(temporary, entry);
  } catch (error) {
    await calls.unlink(temporary).catch(() => undefined);
    throw error;
  }
  if (options.exclusive === true) await calls.unlink(temporary);
  await flushDirectory(calls, directory);
}

async function statExisting(calls: FileCalls, entry: NativePath): Promise<fs.Stats | undefined> {
  try {
    return await calls.lstat(entry);
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function existingKindError(stats: fs.Stats, path: NativePath, follow: boolean): Error {
  if (stats.isDirectory()) return errnoError('EISDIR');
  if (stats.isSymbolicLink()) return errnoError('ELOOP');
  return notAFileError(path, { path, openFlags: 0, followsLinks: follow });
}

/** Only a privileged server may give files away; for others the new file is theirs, as with any editor, and this is false. */
async function keepOwner(calls: FileCalls, fd: number, existing: fs.Stats): Promise<boolean> {
  try {
    await calls.fchown(fd, existing.uid, existing.gid);
    return true;
  } catch {
    return false;
  }
}

/** Makes the rename itself survive a power cut. Some file systems cannot flush a directory; the data is safe. */
async function flushDirectory(calls: FileCalls, directory: OpenDirectory): Promise<void> {
  try {
    const fd = await calls.open(directory.self, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY);
    await calls.fsync(fd).finally(() => calls.close(fd));
  } catch {
    return;
  }
}

/** The file that a write to `path` would reach: a link is written through, a dangling one creates its target. */
export async function followLinks(calls: FileCalls, path: NativePath): Promise<NativePath> {
  let current = path;
  for (let hops = 0; hops <= MAX_LINKS; hops += 1) {
    const stats = await statExisting(calls, current);
    if (!stats?.isSymbolicLink()) return current;
    const next = await calls.readlink(current);
    current = toBytes(next)[0] === 0x2f ? next : joinName(parentOf(current), next);
  }
  throw errnoError('ELOOP');
}

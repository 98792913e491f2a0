// Opening what must be a regular file. FIFOs and devices are not opened at all where they can be told beforehand: the
// open alone wakes or ends the process at the other end of a FIFO, and makes some devices act. One that is swapped in
// at the last moment is opened without waiting, and refused.
import * as fs from 'node:fs';
import { type FsError, invalidInput } from '../../fs-error.js';
import { displayPath, type NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import type { Target } from './target.js';

const { O_CREAT, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;

export interface OpenedFile {
  readonly fd: number;
  readonly stats: fs.Stats;
}

/** `path` is what the caller asked for; the target's own path may be a descriptor path. */
export function notAFileError(path: NativePath, target: Target): FsError {
  return invalidInput(
    target.followsLinks ? `path \`${displayPath(path)}\` is not a file` : 'path is not a regular file',
  );
}

export async function openForReading(
  calls: FileCalls,
  path: NativePath,
  target: Target,
): Promise<OpenedFile> {
  const before = await look(calls, target);
  const isSpecial = before.isFIFO() || before.isCharacterDevice() || before.isBlockDevice();
  if (isSpecial) throw notAFileError(path, target);
  const fd = await calls.open(target.path, O_RDONLY | O_NONBLOCK | target.openFlags);
  return checked(calls, fd, (stats) => (stats.isFile() ? undefined : notAFileError(path, target)));
}

export interface WriteAccess {
  readonly flags?: number;
  readonly mode?: number;
  /** Also take a character device such as /dev/null, which holds nothing that could be half-written. */
  readonly allowCharacterDevice?: boolean;
}

/** Creates the file where it is missing. Truncates nothing: that is for the caller, once all checks have passed. */
export async function openForWriting(
  calls: FileCalls,
  path: NativePath,
  target: Target,
  access: WriteAccess = {},
): Promise<OpenedFile> {
  const before = await lookBeforeWriting(calls, target);
  if (before?.isFIFO() === true || before?.isBlockDevice() === true) throw notAFileError(path, target);
  const flags = O_WRONLY | O_CREAT | O_NONBLOCK | target.openFlags | (access.flags ?? 0);
  const fd = await calls.open(target.path, flags, access.mode ?? 0o666);
  return checked(calls, fd, (stats) => {
    const isAllowed = stats.isFile() || (access.allowCharacterDevice === true && stats.isCharacterDevice());
    return isAllowed ? undefined : notAFileError(path, target);
  });
}

/** Undefined when there is nothing yet. */
async function lookBeforeWriting(calls: FileCalls, target: Target): Promise<fs.Stats | undefined> {
  const known = calls.sync.lstat(target.path);
  if (known === 'missing') return undefined;
  if (known !== undefined && !known.isSymbolicLink()) return known;
  return look(calls, target).catch(() => undefined);
}

function look(calls: FileCalls, target: Target): Promise<fs.Stats> {
  return target.followsLinks ? calls.stat(target.path) : calls.lstat(target.path);
}

async function checked(
  calls: FileCalls,
  fd: number,
  reject: (stats: fs.Stats) => FsError | undefined,
): Promise<OpenedFile> {
  try {
    const stats = await calls.fstat(fd);
    const problem = reject(stats);
    if (problem) throw problem;
    return { fd, stats };
  } catch (error) {
    await calls.close(fd);
    throw error;
  }
}

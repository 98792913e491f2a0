// Whole-file writes in place: create or truncate, append, exclusive create. See atomic-write.ts for replacing.

import * as fs from 'node:fs';
import type { WriteFileOptions } from '../../file-system.js';
import { invalidInput, isErrno } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { type OpenedFile, openForWriting } from '../paths/regular-file.js';
import { type Target, withTarget } from '../paths/target.js';
import { replaceFile } from './atomic-write.js';

const { O_APPEND, O_EXCL } = fs.constants;
const PERMISSION_BITS = 0o7777;
/** At least what is overwritten synchronously (small-file.ts): both ways then do the same to a file. */
const MAX_OVERWRITE_BYTES = 64 * 1024;

export async function writeFile(
  calls: FileCalls,
  path: NativePath,
  bytes: Uint8Array,
  options: WriteFileOptions,
): Promise<void> {
  assertConsistent(options);
  if (options.atomic === true) return replaceFile(calls, path, bytes, options);
  return withTarget(calls, path, options, async (target) => {
    const { fd, stats } = await openOutput(calls, path, target, options);
    try {
      if (options.append === true) await calls.writeAll(fd, bytes, null);
      else await replaceContents(calls, fd, bytes, stats.size);
    } finally {
      await calls.close(fd);
    }
  });
}

/**
 * A small file is overwritten and then cut: emptying it first makes some file systems flush it to the disk when it is
 * closed, which costs twenty times the write, and readers would see it empty.
 */
async function replaceContents(calls: FileCalls, fd: number, bytes: Uint8Array, size: number): Promise<void> {
  const isSmall = bytes.byteLength > 0 && bytes.byteLength <= MAX_OVERWRITE_BYTES;
  if (size > 0 && !isSmall) await calls.ftruncate(fd, 0);
  await calls.writeAll(fd, bytes, null);
  if (isSmall && size > bytes.byteLength) await calls.ftruncate(fd, bytes.byteLength);
}

async function openOutput(
  calls: FileCalls,
  path: NativePath,
  target: Target,
  options: WriteFileOptions,
): Promise<OpenedFile> {
  const append = options.append === true ? O_APPEND : 0;
  if (options.mode !== undefined) {
    const created = await createWithMode(calls, path, target, { flags: append | O_EXCL, mode: options.mode });
    if (created) return created;
  }
  const exclusive = options.exclusive === true ? O_EXCL : 0;
  return openForWriting(calls, path, target, {
    flags: append | exclusive,
    allowCharacterDevice: target.followsLinks,
  });
}

/** Undefined when the path exists: only a file that is made here gets the mode. */
async function createWithMode(
  calls: FileCalls,
  path: NativePath,
  target: Target,
  access: { readonly flags: number; readonly mode: number },
): Promise<OpenedFile | undefined> {
  const file = await openForWriting(calls, path, target, access).catch((error: unknown) => {
    if (isErrno(error, 'EEXIST')) return undefined;
    throw error;
  });
  if (file === undefined) return undefined;
  try {
    await calls.fchmod(file.fd, access.mode);
    return file;
  } catch (error) {
    await calls.close(file.fd);
    await removeCreated(calls, target, file.stats).catch(() => undefined);
    throw error;
  }
}

/** Only while the path still names the file that was made here. */
async function removeCreated(calls: FileCalls, target: Target, created: fs.Stats): Promise<void> {
  const { dev, ino } = await calls.lstat(target.path);
  if (dev === created.dev && ino === created.ino) await calls.unlink(target.path);
}

function assertConsistent({ atomic, append, mode }: WriteFileOptions): void {
  if (atomic === true && append === true) {
    throw invalidInput('fs/writeFile cannot combine atomic and append: an atomic write replaces the file');
  }
  if (mode !== undefined && (mode < 0 || mode > PERMISSION_BITS)) {
    throw invalidInput(`fs/writeFile mode must be between 0 and ${PERMISSION_BITS}`);
  }
}

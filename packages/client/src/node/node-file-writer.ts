// Writes a downloaded file beside its target and renames it when it is whole. Others may do with it no more than with its
// source, nor than the umask allows, nor than they might with the file that it replaces. Bits above the permissions
// (set-user-id) are never taken over. Devices, pipes and sockets are not replaced, nor links to them: it could be /dev/null.

import { randomUUID } from 'node:crypto';
import { lstat, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ExecServerError } from '../exec-server-error.js';
import type { LocalFileWriter } from '../platform.js';
import { hasCode, keepWithin, PERMISSIONS, setTime, writeAll } from './local-file-steps.js';

const OWNER = 0o700;
const OWNER_WRITES = 0o200;
const DEFAULT_MODE = 0o666;

export async function fileWriter(target: string, mode = DEFAULT_MODE): Promise<LocalFileWriter> {
  const allowed = mode & PERMISSIONS & (await modeOfExisting(target));
  // Not made of the target's name, which may be as long as a name can be.
  const partial = join(dirname(target), `.${randomUUID()}.part`);
  const file = await open(partial, 'wx', allowed | OWNER_WRITES);
  return {
    write: (bytes, offset) => writeAll(file, bytes, offset),
    finish: async (attributes) => {
      await keepWithin(file, allowed);
      await setTime(file, attributes);
      await file.close();
      await rename(partial, target);
    },
    abandon: async () => {
      await file.close().catch(() => undefined);
      await rm(partial, { force: true });
    },
  };
}

async function modeOfExisting(target: string): Promise<number> {
  try {
    const found = await lstat(target);
    await refuseSpecial(target);
    return found.isFile() ? (found.mode & PERMISSIONS) | OWNER : PERMISSIONS;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return PERMISSIONS;
    throw error;
  }
}

async function refuseSpecial(target: string): Promise<void> {
  const found = await stat(target).catch(() => undefined);
  if (found === undefined || found.isFile() || found.isDirectory()) return;
  throw new ExecServerError(
    'fs.exists',
    `${target} is a device, a pipe or a socket: a download does not replace it`,
    { details: { path: target } },
  );
}

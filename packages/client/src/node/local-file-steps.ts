// What the writers of downloaded files and trees share.

import type { FileHandle } from 'node:fs/promises';
import type { TreeEntry } from '@codex/exec-protocol';

export const PERMISSIONS = 0o777;

export async function writeAll(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let taken = 0; taken < bytes.length; ) {
    const { bytesWritten } = await file.write(bytes, taken, bytes.length - taken, position + taken);
    taken += bytesWritten;
  }
}

export async function setTime(
  file: FileHandle,
  { modifiedAtMs }: Pick<TreeEntry, 'modifiedAtMs'>,
): Promise<void> {
  if (modifiedAtMs === undefined) return;
  const time = fileTime(modifiedAtMs);
  await file.utimes(time, time);
}

/**
 * Seconds lose the last bits of a millisecond, and what is left is cut, not rounded. A number below zero would be the present
 * to Node; a date before 1970 is one.
 */
export function fileTime(milliseconds: number): number | Date {
  return milliseconds < 0 ? new Date(milliseconds) : (milliseconds + 0.0005) / 1000;
}

export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && Reflect.get(error, 'code') === code;
}

/** Only takes bits away: the umask has taken its own when the file was made. */
export async function keepWithin(file: FileHandle, allowed: number): Promise<void> {
  const mode = (await file.stat()).mode & PERMISSIONS;
  if ((mode & allowed) !== mode) await file.chmod(mode & allowed);
}

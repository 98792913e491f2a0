// Places below the root of a download. No link on the way to one is followed, neither one of this download nor one that stood
// there before.
// What it does not stop: another local process that puts a link in the place of a directory meanwhile.

import type { Stats } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { ExecServerError } from '../exec-server-error.js';
import { hasCode } from './local-file-steps.js';

export async function mustBeDirectory(place: string, path: string): Promise<Stats> {
  const found = await lstat(place);
  if (found.isDirectory()) return found;
  throw notWritable(path, found.isSymbolicLink() ? 'is a link, and not followed' : 'is no directory');
}

/** The names on the way to an entry, its own last. */
export function namesOnThisSystem(path: string): string[] {
  const names = path.split('/');
  if (sep !== '/' && names.some((name) => name.includes(sep)))
    throw notWritable(path, 'its name is none on this system');
  return names;
}

/** Where a file goes whose directory is there. */
export async function fileBelow(root: string, path: string): Promise<string> {
  const names = namesOnThisSystem(path);
  for (let depth = 1; depth < names.length; depth++) {
    const parent = names.slice(0, depth).join('/');
    await mustBeDirectory(join(root, parent), parent);
  }
  return join(root, path);
}

/** Makes a directory, and those above it, where they are not there. */
export async function makeDirectoryBelow(root: string, path: string): Promise<void> {
  const names = namesOnThisSystem(path);
  for (let depth = 1; depth <= names.length; depth++) {
    const directory = names.slice(0, depth).join('/');
    const place = join(root, directory);
    await mkdir(place).catch(async (error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error;
      await mustBeDirectory(place, directory);
    });
  }
}

function notWritable(path: string, why: string): Error {
  return new ExecServerError('fs.io', `${path}: ${why}`, { details: { path } });
}

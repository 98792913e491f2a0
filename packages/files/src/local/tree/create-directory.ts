// Creating directories, one level or all that are missing.

import { errnoError, isErrno, otherError } from '../../fs-error.js';
import { type NativePath, parentOf } from '../../native-path.js';
import { lstat, mkdir, stat } from '../calls/fs-calls.js';
import { noFollowComponents, type OpenDirectory, openDirectoryNoFollow } from '../paths/open-directory.js';
import { type FollowOption, withEntry } from '../paths/target.js';

export interface CreateDirectoryOptions extends FollowOption {
  readonly recursive: boolean;
}

export async function createDirectory(path: NativePath, options: CreateDirectoryOptions): Promise<void> {
  if (options.followSymlinks !== false) return options.recursive ? createAll(path) : mkdir(path);
  if (noFollowComponents(path).length === 0) {
    if (!options.recursive) throw otherError('directory already exists');
    return;
  }
  if (options.recursive) return createAllNoFollow(path);
  return withEntry(path, options, (target) => mkdir(target.path));
}

async function createAll(path: NativePath): Promise<void> {
  try {
    await mkdir(path);
  } catch (error) {
    if (!isErrno(error, 'ENOENT') || path === '/') return acceptDirectory(path, error);
    await createAll(parentOf(path));
    await mkdir(path).catch((retryError: unknown) => acceptDirectory(path, retryError));
  }
}

/** A directory that is already there, or that somebody else made meanwhile, is what was asked for. */
async function acceptDirectory(path: NativePath, error: unknown): Promise<void> {
  if (!(await isDirectory(path))) throw error;
}

async function isDirectory(path: NativePath): Promise<boolean> {
  return stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function createAllNoFollow(path: NativePath): Promise<void> {
  let directory = await openDirectoryNoFollow([]);
  for (const name of noFollowComponents(path)) {
    const parent = directory;
    try {
      directory = await openOrCreate(parent, name);
    } finally {
      await parent.close();
    }
  }
  await directory.close();
}

async function openOrCreate(parent: OpenDirectory, name: NativePath): Promise<OpenDirectory> {
  try {
    return await parent.openChild(name, 'search');
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
  try {
    await mkdir(parent.entry(name));
  } catch (error) {
    // Somebody else made it meanwhile: that is as good, unless it is a link or a file.
    if (!isErrno(error, 'EEXIST')) throw error;
    if (!(await lstat(parent.entry(name))).isDirectory()) throw errnoError('ENOTDIR');
  }
  return parent.openChild(name, 'search');
}

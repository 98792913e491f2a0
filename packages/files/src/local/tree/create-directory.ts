// Creating directories, one level or all that are missing.

import type { CreateDirectoryOptions } from '../../file-system.js';
import { errnoError, isErrno, otherError } from '../../fs-error.js';
import { type NativePath, parentOf } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { noFollowComponents, type OpenDirectory, openDirectoryNoFollow } from '../paths/open-directory.js';
import { withEntry } from '../paths/target.js';

export async function createDirectory(
  calls: FileCalls,
  path: NativePath,
  options: CreateDirectoryOptions,
): Promise<void> {
  if (options.followSymlinks !== false) return options.recursive ? createAll(calls, path) : calls.mkdir(path);
  if (noFollowComponents(path).length === 0) {
    if (!options.recursive) throw otherError('directory already exists');
    return;
  }
  if (options.recursive) return createAllNoFollow(calls, path);
  return withEntry(calls, path, options, (target) => calls.mkdir(target.path));
}

async function createAll(calls: FileCalls, path: NativePath): Promise<void> {
  try {
    await calls.mkdir(path);
  } catch (error) {
    if (!isErrno(error, 'ENOENT') || path === '/') return acceptDirectory(calls, path, error);
    await createAll(calls, parentOf(path));
    await calls.mkdir(path).catch((retryError: unknown) => acceptDirectory(calls, path, retryError));
  }
}

/** A directory that is already there, or that another process made meanwhile, is what was asked for. */
async function acceptDirectory(calls: FileCalls, path: NativePath, error: unknown): Promise<void> {
  if (!(await isDirectory(calls, path))) throw error;
}

async function isDirectory(calls: FileCalls, path: NativePath): Promise<boolean> {
  return calls.stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  );
}

async function createAllNoFollow(calls: FileCalls, path: NativePath): Promise<void> {
  let directory = await openDirectoryNoFollow(calls, []);
  for (const name of noFollowComponents(path)) {
    const parent = directory;
    try {
      directory = await openOrCreate(calls, parent, name);
    } finally {
      await parent.close();
    }
  }
  await directory.close();
}

async function openOrCreate(
  calls: FileCalls,
  parent: OpenDirectory,
  name: NativePath,
): Promise<OpenDirectory> {
  try {
    return await parent.openChild(name, 'search');
  } catch (error) {
    if (!isErrno(error, 'ENOENT')) throw error;
  }
  try {
    await calls.mkdir(parent.entry(name));
  } catch (error) {
    // Another process made it meanwhile: that is as good, unless it is a link or a file.
    if (!isErrno(error, 'EEXIST')) throw error;
    if (!(await calls.lstat(parent.entry(name))).isDirectory()) throw errnoError('ENOTDIR');
  }
  return parent.openChild(name, 'search');
}

// Copying a file, a link as a link, or a tree.

import type { CopyOptions } from '../../file-system.js';
import { invalidInput, isErrno } from '../../fs-error.js';
import { componentsOf, joinName, type NativePath, nameOf, parentOf, pathKey } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { copyContents } from '../contents/copy-contents.js';
import { copyTree } from './copy-tree.js';

export async function copy(
  calls: FileCalls,
  source: NativePath,
  destination: NativePath,
  options: CopyOptions,
): Promise<void> {
  const stats = await calls.lstat(source);
  if (stats.isDirectory()) return copyDirectory(calls, source, destination, options);
  if (stats.isSymbolicLink()) return calls.symlink(await calls.readlink(source), destination);
  if (stats.isFile()) return copyContents(calls, source, destination, options.signal);
  throw invalidInput('fs/copy only supports regular files, directories, and symlinks');
}

async function copyDirectory(
  calls: FileCalls,
  source: NativePath,
  destination: NativePath,
  options: CopyOptions,
): Promise<void> {
  if (!options.recursive) {
    throw invalidInput('fs/copy requires recursive: true when sourcePath is a directory');
  }
  if (isInside(await calls.realpath(source), await resolveExisting(calls, destination))) {
    throw invalidInput('fs/copy cannot copy a directory to itself or one of its descendants');
  }
  await copyTree(calls, source, destination, options.signal);
}

/** The real path of what exists of `path`, with the rest of the names behind it. */
async function resolveExisting(calls: FileCalls, path: NativePath): Promise<NativePath> {
  try {
    return await calls.realpath(path);
  } catch (error) {
    const name = nameOf(path);
    if (!isErrno(error, 'ENOENT') || name === undefined) throw error;
    return joinName(await resolveExisting(calls, parentOf(path)), name);
  }
}

function isInside(directory: NativePath, path: NativePath): boolean {
  const outer = componentsOf(directory).map(pathKey);
  const inner = componentsOf(path).map(pathKey);
  return outer.every((name, index) => inner[index] === name);
}

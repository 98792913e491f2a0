// Copying a file, a link as a link, or a tree.

import { invalidInput, isErrno } from '../../fs-error.js';
import { componentsOf, joinName, type NativePath, nameOf, parentOf, pathKey } from '../../native-path.js';
import { lstat, readlink, realpath, symlink } from '../calls/fs-calls.js';
import { copyContents } from '../contents/copy-contents.js';
import { copyTree } from './copy-tree.js';

export interface CopyOptions {
  readonly recursive: boolean;
  readonly signal?: AbortSignal;
}

export async function copy(source: NativePath, destination: NativePath, options: CopyOptions): Promise<void> {
  const stats = await lstat(source);
  if (stats.isDirectory()) return copyDirectory(source, destination, options);
  if (stats.isSymbolicLink()) return symlink(await readlink(source), destination);
  if (stats.isFile()) return copyContents(source, destination, options.signal);
  throw invalidInput('fs/copy only supports regular files, directories, and symlinks');
}

async function copyDirectory(
  source: NativePath,
  destination: NativePath,
  options: CopyOptions,
): Promise<void> {
  if (!options.recursive) {
    throw invalidInput('fs/copy requires recursive: true when sourcePath is a directory');
  }
  if (isInside(await realpath(source), await resolveExisting(destination))) {
    throw invalidInput('fs/copy cannot copy a directory to itself or one of its descendants');
  }
  await copyTree(source, destination, options.signal);
}

/** The real path of what exists of `path`, with the rest of the names behind it. */
async function resolveExisting(path: NativePath): Promise<NativePath> {
  try {
    return await realpath(path);
  } catch (error) {
    const name = nameOf(path);
    if (!isErrno(error, 'ENOENT') || name === undefined) throw error;
    return joinName(await resolveExisting(parentOf(path)), name);
  }
}

function isInside(directory: NativePath, path: NativePath): boolean {
  const outer = componentsOf(directory).map(pathKey);
  const inner = componentsOf(path).map(pathKey);
  return outer.every((name, index) => inner[index] === name);
}

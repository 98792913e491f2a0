// Removing a file, a link (never what it leads to), or a directory with all it holds.

import { invalidInput, isErrno, otherError } from '../../fs-error.js';
import { componentsOf, type NativePath, nameOf, parentOf } from '../../native-path.js';
import { lstat, rmdir, unlink } from '../calls/fs-calls.js';
import { OpenDirectory } from '../paths/open-directory.js';
import { type FollowOption, type Target, withEntry } from '../paths/target.js';
import { removeTree } from './remove-tree.js';

export interface RemoveOptions extends FollowOption {
  readonly recursive: boolean;
  /** A path that does not exist is removed already. */
  readonly force: boolean;
  readonly signal?: AbortSignal;
}

export async function remove(path: NativePath, options: RemoveOptions): Promise<void> {
  const isNoFollow = options.followSymlinks === false;
  if (isNoFollow && options.recursive) throw otherError('recursive no-follow removal is unsupported');
  if (options.recursive && componentsOf(path).length === 0) {
    throw invalidInput('fs/remove does not remove the root directory');
  }
  try {
    await withEntry(path, options, (target) => removeTarget(path, target, options));
  } catch (error) {
    if (!(options.force && isErrno(error, 'ENOENT'))) throw error;
  }
}

async function removeTarget(path: NativePath, target: Target, options: RemoveOptions): Promise<void> {
  const stats = await lstat(target.path);
  if (stats.isSymbolicLink() && !target.followsLinks) throw invalidInput('path contains a symbolic link');
  if (!stats.isDirectory()) return unlink(target.path);
  if (!options.recursive) return rmdir(target.path);
  const name = nameOf(path);
  if (name === undefined || name === '..') throw invalidInput('path must name an entry');
  const parent = await OpenDirectory.open(parentOf(path), 'search');
  try {
    await removeTree(parent, name, options.signal);
  } finally {
    await parent.close();
  }
}

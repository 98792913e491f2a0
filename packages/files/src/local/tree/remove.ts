// Removing a file, a link (never what it leads to), or a directory with all it holds.

import type { RemoveOptions } from '../../file-system.js';
import { invalidInput, isErrno, otherError } from '../../fs-error.js';
import { componentsOf, type NativePath, nameOf, parentOf } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { OpenDirectory } from '../paths/open-directory.js';
import { type Target, withEntry } from '../paths/target.js';
import { removeTree } from './remove-tree.js';

export async function remove(calls: FileCalls, path: NativePath, options: RemoveOptions): Promise<void> {
  const isNoFollow = options.followSymlinks === false;
  if (isNoFollow && options.recursive) throw otherError('recursive no-follow removal is unsupported');
  if (options.recursive && componentsOf(path).length === 0) {
    throw invalidInput('fs/remove does not remove the root directory');
  }
  try {
    await withEntry(calls, path, options, (target) => removeTarget(calls, path, target, options));
  } catch (error) {
    if (!(options.force && isErrno(error, 'ENOENT'))) throw error;
  }
}

async function removeTarget(
  calls: FileCalls,
  path: NativePath,
  target: Target,
  options: RemoveOptions,
): Promise<void> {
  const stats = await calls.lstat(target.path);
  if (stats.isSymbolicLink() && !target.followsLinks) throw invalidInput('path contains a symbolic link');
  if (!stats.isDirectory()) return calls.unlink(target.path);
  if (!options.recursive) return calls.rmdir(target.path);
  const name = nameOf(path);
  if (name === undefined || name === '..') throw invalidInput('path must name an entry');
  const parent = await OpenDirectory.open(calls, parentOf(path), 'search');
  try {
    await removeTree(calls, parent, name, options.signal);
  } finally {
    await parent.close();
  }
}

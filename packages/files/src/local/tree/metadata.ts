// Metadata of one path: the kind and size of what it leads to, and whether the path itself is a link.

import type * as fs from 'node:fs';
import type { FollowOption, Metadata } from '../../file-system.js';
import { errnoError, invalidInput } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import { componentsOf } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { type Target, withTarget } from '../paths/target.js';

/** The same without a promise, where one look is enough and holds nothing up; undefined for everything else. */
export function getMetadataSync(
  calls: FileCalls,
  path: NativePath,
  options: FollowOption,
): Metadata | undefined {
  if (options.followSymlinks === false) return undefined;
  const stats = calls.sync.lstat(path);
  if (stats === 'missing') throw errnoError('ENOENT');
  return stats === undefined || stats.isSymbolicLink() ? undefined : describe(stats, false);
}

export async function getMetadata(
  calls: FileCalls,
  path: NativePath,
  options: FollowOption,
): Promise<Metadata> {
  // The root is never a link, and has no parent to be looked up in.
  if (options.followSymlinks !== false || componentsOf(path).length === 0) {
    return followedMetadata(calls, path);
  }
  return withTarget(calls, path, options, async (target) => {
    const stats = await statNoFollow(calls, target);
    if (stats.isSymbolicLink()) throw invalidInput('path contains a symbolic link');
    return describe(stats, false);
  });
}

async function followedMetadata(calls: FileCalls, path: NativePath): Promise<Metadata> {
  const known = calls.sync.lstat(path);
  if (known === 'missing') throw errnoError('ENOENT');
  const stats = known ?? (await calls.lstat(path));
  return stats.isSymbolicLink() ? describe(await calls.stat(path), true) : describe(stats, false);
}

async function statNoFollow(calls: FileCalls, target: Target): Promise<fs.Stats> {
  if (process.platform !== 'darwin') return calls.lstat(target.path);
  const fd = await calls.open(target.path, target.openFlags);
  return calls.fstat(fd).finally(() => calls.close(fd));
}

function describe(stats: fs.Stats, isSymlink: boolean): Metadata {
  return {
    isDirectory: stats.isDirectory(),
    isFile: stats.isFile(),
    isSymlink,
    size: stats.size,
    createdAtMs: wholeMilliseconds(stats.birthtimeMs),
    modifiedAtMs: wholeMilliseconds(stats.mtimeMs),
  };
}

function wholeMilliseconds(time: number): number {
  return time > 0 ? Math.floor(time) : 0;
}

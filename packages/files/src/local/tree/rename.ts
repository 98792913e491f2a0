// Moving an entry within one file system. Links are moved, not followed.

import { errnoError, isErrno } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import { link, lstat, rename as renameEntry, unlink } from '../calls/fs-calls.js';

export interface RenameOptions {
  /** False fails with EEXIST when the destination exists. */
  readonly overwrite: boolean;
}

export async function rename(
  source: NativePath,
  destination: NativePath,
  options: RenameOptions,
): Promise<void> {
  if (options.overwrite) return renameEntry(source, destination);
  const stats = await lstat(source);
  if (stats.isDirectory()) return renameToFreeName(source, destination);
  try {
    // A second name and then no first one: link() refuses an existing name in the same step.
    await link(source, destination);
  } catch (error) {
    const cannotLink = isErrno(error, 'EPERM', 'ENOTSUP', 'EMLINK', 'ENOSYS');
    if (!cannotLink) throw error;
    return renameToFreeName(source, destination);
  }
  await unlink(source);
}

/**
 * For directories and for file systems without hard links. Node cannot ask for RENAME_NOREPLACE, so a file or an
 * empty directory that appears between the check and the rename is replaced.
 */
async function renameToFreeName(source: NativePath, destination: NativePath): Promise<void> {
  const isFree = await lstat(destination).then(
    () => false,
    (error: unknown) => {
      if (isErrno(error, 'ENOENT')) return true;
      throw error;
    },
  );
  if (!isFree) throw errnoError('EEXIST');
  await renameEntry(source, destination);
}

// Moving an entry within one file system. Links are moved, not followed.

import type { RenameOptions } from '../../file-system.js';
import { errnoError, isErrno } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';

export async function rename(
  calls: FileCalls,
  source: NativePath,
  destination: NativePath,
  options: RenameOptions,
): Promise<void> {
  if (options.overwrite) return calls.rename(source, destination);
  const stats = await calls.lstat(source);
  if (stats.isDirectory()) return renameToFreeName(calls, source, destination);
  try {
    // A second name and then no first one: calls.link() refuses an existing name in the same step.
    await calls.link(source, destination);
  } catch (error) {
    const cannotLink = isErrno(error, 'EPERM', 'ENOTSUP', 'EMLINK', 'ENOSYS');
    if (!cannotLink) throw error;
    return renameToFreeName(calls, source, destination);
  }
  await calls.unlink(source);
}

/**
 * For directories and for file systems without hard links. Node cannot ask for RENAME_NOREPLACE, so a file or an
 * empty directory that appears between the check and the rename is replaced.
 */
async function renameToFreeName(
  calls: FileCalls,
  source: NativePath,
  destination: NativePath,
): Promise<void> {
  const isFree = await calls.lstat(destination).then(
    () => false,
    (error: unknown) => {
      if (isErrno(error, 'ENOENT')) return true;
      throw error;
    },
  );
  if (!isFree) throw errnoError('EEXIST');
  await calls.rename(source, destination);
}

// How a mount point on the host (mount-point-uses.ts) is recognised. The directory describes itself: it is sticky, and
// inside (invisible to the command, which sees the mount) every process that uses it keeps a mark named after itself. The
// file system then counts the users: `rmdir` removes the directory exactly when no user is left. A server that finds
// one later recognises it and takes away dead users. A mark is a link to nowhere, which is made and removed several
// times as fast as a directory or a file.
import { opendirSync } from 'node:fs';
import { isProcessLabel, ownProcessLabel } from './process-label.js';

/** A mark leads nowhere. */
export const markTarget = 'in-use';

export const markPrefix = '.codex-sandbox-mount-point-';

/** Sticky and not writable by others: `/tmp` and friends are the latter, ordinary directories are not sticky. */
export function looksLikeMountPoint(mode: number): boolean {
  return (mode & 0o1022) === 0o1000;
}

/** True for a directory that is nothing but a mount point of some sandbox, in use or left over. */
export function isMountPoint(path: string, mode: number): boolean {
  return looksLikeMountPoint(mode) && holdsNothing(path);
}

/** No mount point has so many users at once; a full directory with their names is something else. */
const maxMarks = 1024;

/** Nothing but the marks of processes that use it as a mount point, or not there any more. */
export function holdsNothing(path: string): boolean {
  try {
    const listing = opendirSync(path);
    try {
      // The first other name decides: a directory may be as full as a command likes.
      for (let count = 0; count <= maxMarks; count += 1) {
        const name = listing.readSync()?.name;
        if (name === undefined) return true;
        if (!name.startsWith(markPrefix) || !isProcessLabel(name.slice(markPrefix.length))) return false;
      }
      return false;
    } finally {
      listing.closeSync();
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}

/** The name of the mark by which this process counts as a user of a mount point. */
export function ownMark(): string {
  return `${markPrefix}${ownProcessLabel()}`;
}

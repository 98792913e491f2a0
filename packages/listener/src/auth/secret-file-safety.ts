// Whether others can read or replace the file of a secret, as OpenSSH judges keys: a secret that others know is none.
// Does not stop: access control lists and capabilities, which the mode does not show; root.

import { dirname } from 'node:path';

export interface FileFacts {
  readonly uid: number;
  readonly mode: number;
}

const OTHERS_ANYTHING = 0o077;
const OTHERS_WRITE = 0o022;
const STICKY = 0o1000;

/** What is wrong with the file, and what to do; undefined when nothing is. */
export function unsafeFile(path: string, { uid, mode }: FileFacts, ownUid: number): string | undefined {
  if (uid !== ownUid && uid !== 0) {
    return `belongs to another user (uid ${uid}): make it your own with \`chown ${ownUid} ${path}\``;
  }
  if ((mode & OTHERS_ANYTHING) === 0) return undefined;
  const shown = (mode & 0o777).toString(8).padStart(4, '0');
  return `is open to others (mode ${shown}): close it with \`chmod 600 ${path}\`, and change the secret if others may have read it`;
}

/** The same for a directory above it. In a sticky one, such as /tmp, only the owner of a file can replace it. */
export function unsafeDirectory(path: string, { uid, mode }: FileFacts, ownUid: number): string | undefined {
  if (uid !== ownUid && uid !== 0) {
    return `can be replaced by another user (uid ${uid}), to whom ${path} belongs: move it to a directory of your own`;
  }
  if ((mode & OTHERS_WRITE) === 0 || (mode & STICKY) !== 0) return undefined;
  return `can be replaced by others, who may write to ${path}: close that with \`chmod go-w ${path}\``;
}

/** The directory of a path and all above it, nearest first. */
export function directoriesAbove(path: string): string[] {
  const directory = dirname(path);
  return directory === path ? [] : [directory, ...directoriesAbove(directory)];
}

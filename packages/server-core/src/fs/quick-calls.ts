// What may be done within a sync window: a look at one path, and the reading of one small file.
import { Buffer } from 'node:buffer';
import * as fs from 'node:fs';
import { fileRestriction } from './file-restriction.js';
import type { NativePath } from './native-path.js';
import type { SyncWindow } from './sync-window.js';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;

/** Also the size from which replies are counted (reply-room.ts). */
const SMALL_FILE_BYTES = 32 * 1024;

/** `missing` when there is nothing of that name; undefined when the long way has to be taken. */
export function quickLstat(window: SyncWindow, path: NativePath): fs.Stats | 'missing' | undefined {
  // Under a policy a look at a name is more than one call: it takes the long way.
  if (fileRestriction() !== undefined) return undefined;
  return window.run(path, (text) => fs.lstatSync(text, { throwIfNoEntry: false }) ?? 'missing');
}

/** Undefined for everything but a small regular file that is reached without a link in its last component. */
export function quickReadFile(window: SyncWindow, path: NativePath): Buffer | undefined {
  return window.run(path, readSmallFile);
}

function readSmallFile(path: string): Buffer | undefined {
  const restriction = fileRestriction();
  // Nothing but a regular file is ever opened here: an open of a device may do things.
  if (!isSmallFile(fs.lstatSync(path, { throwIfNoEntry: false }))) return undefined;
  const fd = fs.openSync(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    restriction?.checkReadable(fd);
    const stats = fs.fstatSync(fd);
    if (!isSmallFile(stats)) return undefined;
    const buffer = Buffer.allocUnsafeSlow(stats.size);
    const count = fs.readSync(fd, buffer);
    return count === stats.size ? buffer : undefined;
  } finally {
    fs.closeSync(fd);
  }
}

/** An empty one may be a file whose size is not known. */
function isSmallFile(stats: fs.Stats | undefined): boolean {
  return stats?.isFile() === true && stats.size > 0 && stats.size <= SMALL_FILE_BYTES;
}

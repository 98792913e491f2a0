// What may be done within a sync window: a look at one path, and the reading or overwriting of one small file.
import { Buffer } from 'node:buffer';
import * as fs from 'node:fs';
import type { NativePath } from '../../native-path.js';
import { fileRestriction } from './file-restriction.js';
import type { SyncWindow } from './sync-window.js';

const { O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;

/** Also the size from which replies are counted (reply-room.ts). */
const SMALL_FILE_BYTES = 32 * 1024;

/** Where such calls are allowed; the helper of sandboxed requests has a simpler one than the server. */
export type CallWindow = Pick<SyncWindow, 'run'>;

/** `missing` when there is nothing of that name; undefined when the long way has to be taken. */
export function quickLstat(window: CallWindow, path: NativePath): fs.Stats | 'missing' | undefined {
  // Under a policy a look at a name is more than one call: it takes the long way.
  if (fileRestriction() !== undefined) return undefined;
  return window.run(path, (text) => fs.lstatSync(text, { throwIfNoEntry: false }) ?? 'missing');
}

/** Undefined for everything but a small regular file that is reached without a link in its last component. */
export function quickReadFile(window: CallWindow, path: NativePath): Buffer | undefined {
  return window.run(path, readSmallFile);
}

/**
 * True when the bytes are all of the file now. False: the long way has to be taken, which overwrites what may have been
 * written so far. Only for an existing regular file, reached as above, and at most so many bytes that the long way
 * overwrites in place too, which it does with more (write-file.ts).
 */
export function quickOverwrite(window: CallWindow, path: NativePath, bytes: Uint8Array): boolean {
  if (bytes.byteLength === 0 || bytes.byteLength > SMALL_FILE_BYTES) return false;
  return window.run(path, (text) => overwriteSmallFile(text, bytes)) === true;
}

function overwriteSmallFile(path: string, bytes: Uint8Array): boolean {
  const restriction = fileRestriction();
  if (fs.lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return false;
  const fd = fs.openSync(path, O_WRONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    restriction?.checkWritable(fd);
    const stats = fs.fstatSync(fd);
    if (!stats.isFile() || fs.writeSync(fd, bytes) !== bytes.byteLength) return false;
    if (stats.size > bytes.byteLength) fs.ftruncateSync(fd, bytes.byteLength);
    return true;
  } finally {
    fs.closeSync(fd);
  }
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

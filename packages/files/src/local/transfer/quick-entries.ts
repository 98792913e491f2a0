// What is done with the entries of a tree on the event loop, where `SyncCalls.run` allows it. Each entry is named in a directory
// that is held open, and no link at the end is followed. Whatever is unusual is left to the long way.
import * as fs from 'node:fs';
import type { TreeEntry } from '@codex/exec-protocol';
import { isErrno, toFsError } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import { SMALL_FILE_BYTES } from '../../small-file.js';
import { fileTime } from '../calls/sync-calls.js';
import { type DirectoryEntryInfo, describeEntry } from '../tree/directory-entries.js';
import { PERMISSIONS } from './open-entry.js';
import type { PartMemory } from './part-memory.js';

const { O_DIRECTORY, O_NOFOLLOW, O_NONBLOCK, O_RDONLY } = fs.constants;
/** One call of the kernel has about so many. What has more is listed in batches. */
const MOST_LISTED = 512;

/** Undefined: there are many. */
export function listSmallDirectory(place: NativePath): DirectoryEntryInfo[] | undefined {
  // Node types this as an encoding of text only.
  const encoding = 'buffer' as BufferEncoding;
  const directory = fs.opendirSync(place, { encoding, bufferSize: MOST_LISTED });
  try {
    const entries: DirectoryEntryInfo[] = [];
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      if (entries.length === MOST_LISTED) return undefined;
      entries.push(describeEntry(entry));
    }
    return entries;
  } finally {
    directory.closeSync();
  }
}

/**
 * A regular file, as one of a listing mostly is, behind what the memory holds: looked at and read through one descriptor.
 * Undefined: it is something else, or more than `most` or a small file, or became shorter meanwhile.
 */
export function readSmallEntry(place: NativePath, memory: PartMemory, most: number): fs.Stats | undefined {
  const fd = fs.openSync(place, O_RDONLY | O_NONBLOCK | O_NOFOLLOW);
  try {
    const stats = fs.fstatSync(fd);
    const { size } = stats;
    if (!stats.isFile() || size > SMALL_FILE_BYTES || size > most) return undefined;
    if (size > 0 && fs.readSync(fd, memory.withRoomFor(size), memory.used, size, null) !== size)
      return undefined;
    return stats;
  } finally {
    fs.closeSync(fd);
  }
}

/** With its attributes, also where one is there already. */
export function makeDirectory(place: NativePath, entry: TreeEntry): true {
  try {
    fs.mkdirSync(place, { mode: (entry.mode ?? PERMISSIONS) & PERMISSIONS });
  } catch (error) {
    if (!isErrno(toFsError(error), 'EEXIST')) throw error;
  }
  return setDirectoryAttributes(place, entry);
}

function setDirectoryAttributes(place: NativePath, { mode, modifiedAtMs }: TreeEntry): true {
  const fd = fs.openSync(place, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
  try {
    if (mode !== undefined) fs.fchmodSync(fd, mode & PERMISSIONS);
    if (modifiedAtMs !== undefined) fs.futimesSync(fd, fileTime(modifiedAtMs), fileTime(modifiedAtMs));
    return true;
  } finally {
    fs.closeSync(fd);
  }
}

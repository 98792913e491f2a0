// Where an operation acts: the path as given, or, when links may not be followed, an entry of a directory that was
// reached without following one.

import * as fs from 'node:fs';
import type { FollowOption } from '../../file-system.js';
import { invalidInput, otherError } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { noFollowComponents, openDirectoryNoFollow } from './open-directory.js';

export interface Target {
  readonly path: NativePath;
  /** To be added to the flags of an `open` of `path`. */
  readonly openFlags: number;
  readonly followsLinks: boolean;
}

/** Refuses a link in the last component only. */
export const NOFOLLOW_LEAF: number = fs.constants.O_NOFOLLOW;

// macOS refuses a link in any component for one `open`, which covers reading, writing and metadata there.
const O_NOFOLLOW_ANY = 0x20000000;

export async function withTarget<T>(
  calls: FileCalls,
  path: NativePath,
  option: FollowOption,
  act: (target: Target) => Promise<T>,
): Promise<T> {
  if (option.followSymlinks !== false) return act({ path, openFlags: 0, followsLinks: true });
  if (process.platform === 'darwin') return act({ path, openFlags: O_NOFOLLOW_ANY, followsLinks: false });
  return withNoFollowEntry(calls, path, act);
}

/** For operations on an entry that is not opened (removing, creating a directory): there macOS has no safe way. */
export async function withEntry<T>(
  calls: FileCalls,
  path: NativePath,
  option: FollowOption,
  act: (target: Target) => Promise<T>,
): Promise<T> {
  if (option.followSymlinks === false && process.platform === 'darwin') {
    throw otherError('followSymlinks: false is not supported for this operation on macOS');
  }
  return withTarget(calls, path, option, act);
}

async function withNoFollowEntry<T>(
  calls: FileCalls,
  path: NativePath,
  act: (target: Target) => Promise<T>,
): Promise<T> {
  const names = noFollowComponents(path);
  const name = names.pop();
  if (name === undefined) throw invalidInput('path must name an entry');
  const parent = await openDirectoryNoFollow(calls, names);
  try {
    return await act({ path: parent.entry(name), openFlags: NOFOLLOW_LEAF, followsLinks: false });
  } finally {
    await parent.close();
  }
}

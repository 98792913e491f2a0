// Asks the kernel for the path of an open descriptor.
import * as fs from 'node:fs';
import { errnoError } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';

const { O_DIRECTORY } = fs.constants;
// Not among Node's constants. The same number on every Linux architecture that Node supports.
const O_PATH = 0o10000000;
/** Few, so that the ancestor is a near one: the nearer it is, the fewer rules lie below it. */
const LEVELS_AT_ONCE = 16;

export function realPathOf(fd: number): NativePath {
  const link = `/proc/self/fd/${fd}`;
  const text = fs.readlinkSync(link);
  // Bytes that are no text show as this character.
  return text.includes('\uFFFD') ? fs.readlinkSync(link, { encoding: 'buffer' }) : text;
}

/** Undefined when the path is too long for the kernel to say (PATH_MAX). */
export function namedPathOf(fd: number): NativePath | undefined {
  try {
    return realPathOf(fd);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENAMETOOLONG') return undefined;
    throw error;
  }
}

/** The path of a directory above an open directory that is too deep to have one. Not known for anything but a directory. */
export function namedAncestorOf(fd: number): NativePath {
  let from = fd;
  try {
    for (;;) {
      const above = fs.openSync(
        `/proc/self/fd/${from}/${'../'.repeat(LEVELS_AT_ONCE)}`,
        O_PATH | O_DIRECTORY,
      );
      if (from !== fd) fs.closeSync(from);
      from = above;
      const real = namedPathOf(from);
      if (real !== undefined) return real;
    }
  } catch {
    throw errnoError('ENAMETOOLONG');
  } finally {
    if (from !== fd) fs.closeSync(from);
  }
}

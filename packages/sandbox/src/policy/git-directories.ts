// Where git really keeps what a `.git` stands for. A linked worktree or a submodule has a file there that names another
// directory, and a git directory may name a common one that holds hooks and configuration. Both are read as git reads
// them, and never more of a file than a path can be long: a hostile file must not hold up its reader.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { posix } from 'node:path';
import { SandboxError } from '../errors.js';
import { joinPath } from './path-text.js';

const maxBytes = 4096;
/** Errors of a path where nothing is that git could read either. */
const nothingThere: ReadonlySet<string> = new Set([
  'ENOENT',
  'ENOTDIR',
  'ELOOP',
  'ENAMETOOLONG',
  'EACCES',
  'ENXIO',
]);

/** The directory that a `.git` file names, or undefined when `.git` is not such a file. */
export function readGitPointer(dotGit: string): string | undefined {
  const named = /^gitdir:\s*(.+?)\s*$/m.exec(readStart(dotGit) ?? '')?.[1];
  return named === undefined ? undefined : posix.resolve(posix.dirname(dotGit), named);
}

/** The directory with the hooks and the configuration, when it is not the git directory itself. */
export function readCommonDirectory(gitDirectory: string): string | undefined {
  const named = readStart(joinPath(gitDirectory, 'commondir'))?.trim();
  return named === undefined || named === '' ? undefined : posix.resolve(gitDirectory, named);
}

/**
 * The beginning of a regular file, or undefined. Follows no link, and never blocks. A file that is there and cannot be read now (a
 * lease on it, no descriptors left) is an error: what it names would be left without protection.
 */
export function readStart(path: string): string | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    if (!fstatSync(fd).isFile()) return undefined;
    const bytes = Buffer.alloc(maxBytes);
    return bytes.toString('utf8', 0, readSync(fd, bytes, 0, maxBytes, 0));
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code ?? String(cause);
    if (nothingThere.has(code)) return undefined;
    throw new SandboxError('SANDBOX_PREPARE_FAILED', `cannot read ${path}: ${code}`, { cause });
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

// Makes and removes the directory that is a mount point, and the marks of its users (mount-point-marks.ts). On the
// thread pool, because a busy disk can take long over a directory; what a disk answers at once can be done at once.
import * as fs from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { SandboxError } from '../errors.js';
import { joinPath } from '../policy/path-text.js';
import { looksLikeMountPoint, markPrefix, ownUseOf } from './mount-point-marks.js';
import { describesLiveProcess } from './process-label.js';

// At a third of the cost of their forms in `fs/promises`.
const mkdir = promisify<string, number>(fs.mkdir);
const rmdir = promisify<string>(fs.rmdir);
const symlink = promisify<string, string>(fs.symlink);
const unlink = promisify<string>(fs.unlink);
const readdir = promisify<string, string[]>(fs.readdir);

const MODE = 0o1755;
const TARGET = 'in-use';

/** For a name that is missing. Throws when something is there, or in the way. */
export function occupyAtOnce(path: string): void {
  fs.mkdirSync(path, MODE);
  fs.symlinkSync(TARGET, ownUseOf(path));
}

/** Throws when the directory is not gone then: it is for `vacate` to say what is left, and whose it is. */
export function vacateAtOnce(path: string): void {
  fs.unlinkSync(ownUseOf(path));
  if (!wasThereBefore(path)) fs.rmdirSync(path);
}

export async function occupy(path: string): Promise<void> {
  // Another process may remove the directory between the two steps, because its own use has just ended.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    try {
      await unlessThere(mkdir(path, MODE));
      await unlessThere(makeMark(ownUseOf(path)));
      return;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') continue;
      throw new SandboxError(
        'SANDBOX_PREPARE_FAILED',
        `cannot protect the missing path ${path}${whyNot(path, error)}`,
        { cause: error },
      );
    }
  }
  throw new SandboxError(
    'SANDBOX_PREPARE_FAILED',
    `cannot protect the missing path ${path}: it keeps disappearing`,
  );
}

/** In a directory that users share, such as /tmp, a sandbox of another user may stand in the way: its end is its own. */
function whyNot(path: string, error: unknown): string {
  const found = fs.lstatSync(path, { throwIfNoEntry: false });
  const isForeign = found !== undefined && found.uid !== process.geteuid?.();
  if (isForeign && codeOf(error) === 'EACCES') {
    return `: a sandbox of another user (uid ${found.uid}) has its mount point there. Try again when its command has ended`;
  }
  return `: ${(error as Error).message}`;
}

async function unlessThere(made: Promise<unknown>): Promise<void> {
  try {
    await made;
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
  }
}

async function makeMark(path: string): Promise<void> {
  try {
    await symlink(TARGET, path);
  } catch (error) {
    // A file system without links (vfat, some shared folders).
    if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'EOPNOTSUPP' && codeOf(error) !== 'ENOTSUP')
      throw error;
    await mkdir(path, 0o755);
  }
}

/** Removes what `occupy` has made, and what dead processes have left. */
export async function vacate(path: string): Promise<void> {
  await removeMark(ownUseOf(path));
  if (!(await removeMountPoint(path))) await removeDeadUses(path);
}

async function removeMark(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') await removeIfPossible(path);
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

async function removeDeadUses(path: string): Promise<void> {
  const names = await readdir(path).catch((): string[] => []);
  const marks = names.filter((name) => name.startsWith(markPrefix));
  const dead = marks.filter((name) => !describesLiveProcess(name.slice(markPrefix.length)));
  for (const name of dead) await removeMark(joinPath(path, name));
  if (dead.length < marks.length) return;
  if (names.length > marks.length) await leaveToOwner(path);
  else await removeMountPoint(path);
}

/** Somebody has put something in, so the directory is theirs. By handle: a link in its place is not followed. */
async function leaveToOwner(path: string): Promise<void> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = fs.constants;
  const handle = await open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW).catch(() => undefined);
  try {
    const mode = (await handle?.stat())?.mode ?? 0;
    if (looksLikeMountPoint(mode)) await handle?.chmod(mode & 0o777);
  } catch {
    // Not ours: the directory works as it is.
  } finally {
    await handle?.close();
  }
}

/** An empty directory without the mark was there before, and stays. */
async function removeMountPoint(path: string): Promise<boolean> {
  return wasThereBefore(path) || removeIfPossible(path);
}

/** A look does not wait for the disk's other work, as a change may. */
function wasThereBefore(path: string): boolean {
  try {
    const stats = fs.lstatSync(path, { throwIfNoEntry: false });
    return stats !== undefined && !looksLikeMountPoint(stats.mode);
  } catch {
    return false;
  }
}

/** True when the directory is gone. Never removes anything that has content. */
async function removeIfPossible(path: string): Promise<boolean> {
  try {
    await rmdir(path);
    return true;
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
}

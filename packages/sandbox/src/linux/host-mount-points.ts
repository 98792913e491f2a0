// Mount points on the host for names that do not exist there. A mount needs something to lie on, so for the time of a
// command an empty directory stands where the protected name is missing.
//
// Such a directory describes itself: it is sticky, and inside (invisible to the command, which sees the mount) every
// process that uses it keeps a mark named after itself. The file system then counts the users: `rmdir` removes the
// directory exactly when nobody is left. Whoever finds one later recognises it and takes away dead users. A mark is a
// link to nowhere, which is made and removed several times as fast as a directory or a file.
import { constants, lstatSync, readdirSync } from 'node:fs';
import { lstat, mkdir, open, readdir, rmdir, symlink, unlink } from 'node:fs/promises';
import { SandboxError } from '../errors.js';
import { joinPath } from '../policy/path-text.js';
import { describesLiveProcess, isProcessLabel, ownProcessLabel } from './process-label.js';

const prefix = '.codex-sandbox-mount-point-';

/** Sticky and not writable by others: `/tmp` and friends are the latter, ordinary directories are not sticky. */
function looksLikeMountPoint(mode: number): boolean {
  return (mode & 0o1022) === 0o1000;
}

/** True for a directory that is nothing but a mount point of some sandbox, in use or left over. */
export function isMountPoint(path: string, mode: number): boolean {
  return looksLikeMountPoint(mode) && holdsNothing(path);
}

/** Nothing but the marks of processes that use it as a mount point, or not there any more. */
export function holdsNothing(path: string): boolean {
  try {
    return readdirSync(path).every(
      (name) => name.startsWith(prefix) && isProcessLabel(name.slice(prefix.length)),
    );
  } catch (error) {
    return codeOf(error) === 'ENOENT';
  }
}

/** The mark by which this process counts as a user of the mount point. */
export function ownUseOf(path: string): string {
  return joinPath(path, `${prefix}${ownProcessLabel()}`);
}

function isUsedHere(path: string): boolean {
  try {
    return lstatSync(ownUseOf(path), { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // what stands there says why when it is to be used
  }
}

/**
 * Counts the uses of this process; the file system counts the processes. Asynchronous, because a busy disk can take long
 * over a directory, and in order for each path.
 */
export class HostMountPoints {
  readonly #uses = new Map<string, number>();
  readonly #work = new Map<string, Promise<void>>();

  async claim(path: string): Promise<void> {
    const uses = this.#uses.get(path) ?? 0;
    this.#uses.set(path, uses + 1);
    try {
      if (uses > 0) await this.#work.get(path);
      // Somebody may have removed it meanwhile; bubblewrap would then make one that nobody recognises afterwards.
      if (uses === 0 || !isUsedHere(path)) await this.#enqueue(path, () => occupy(path));
    } catch (error) {
      await this.release(path);
      throw error;
    }
  }

  async release(path: string): Promise<void> {
    const uses = (this.#uses.get(path) ?? 0) - 1;
    if (uses > 0) {
      this.#uses.set(path, uses);
      return;
    }
    this.#uses.delete(path);
    await this.#enqueue(path, async () => {
      if (this.#uses.has(path)) return;
      await removeMark(ownUseOf(path));
      if (!(await removeMountPoint(path))) await removeDeadUses(path);
    });
  }

  #enqueue(path: string, task: () => Promise<void>): Promise<void> {
    const done = (this.#work.get(path) ?? Promise.resolve()).catch(() => undefined).then(task);
    this.#work.set(path, done);
    const forget = (): void => {
      if (this.#work.get(path) === done) this.#work.delete(path);
    };
    done.then(forget, forget);
    return done;
  }
}

async function occupy(path: string): Promise<void> {
  // Another process may remove the directory between the two steps, because its own use has just ended.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    try {
      await unlessThere(mkdir(path, 0o1755));
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
  const found = lstatSync(path, { throwIfNoEntry: false });
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
    await symlink('in-use', path);
  } catch (error) {
    // A file system without links (vfat, some shared folders).
    if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'EOPNOTSUPP' && codeOf(error) !== 'ENOTSUP')
      throw error;
    await mkdir(path, 0o755);
  }
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
  const marks = names.filter((name) => name.startsWith(prefix));
  const dead = marks.filter((name) => !describesLiveProcess(name.slice(prefix.length)));
  for (const name of dead) await removeMark(joinPath(path, name));
  if (dead.length < marks.length) return;
  if (names.length > marks.length) await leaveToOwner(path);
  else await removeMountPoint(path);
}

/** Somebody has put something in, so the directory is theirs. By handle: a link in its place is not followed. */
async function leaveToOwner(path: string): Promise<void> {
  const { O_RDONLY, O_DIRECTORY, O_NOFOLLOW } = constants;
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
  const stats = await lstat(path).catch(() => undefined);
  if (stats !== undefined && !looksLikeMountPoint(stats.mode)) return true;
  return removeIfPossible(path);
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

// Makes and removes the directory that is a mount point, and the marks of its users (mount-point-marks.ts). On the
// thread pool, because a busy disk can take long over a directory; what a disk answers at once can be done at once.
// Nothing is removed but a mark of our own or of a dead process, and an empty directory with the mode of a mount point.
// What it does not stop: between the look at such a directory and its removal by name, another process can put another
// empty directory in its place, and that one goes.
import * as fs from 'node:fs';
import { open } from 'node:fs/promises';
import { promisify } from 'node:util';
import { SandboxError } from '../../errors.js';
import type { HeldDirectory } from './held-directory.js';
import { looksLikeMountPoint, markPrefix, markTarget, ownMark } from './mount-point-marks.js';
import { describesLiveProcess } from './process-label.js';
import type { SharedMark } from './shared-mark.js';

// At a third of the cost of their forms in `fs/promises`.
const mkdir = promisify<string, number>(fs.mkdir);
const rmdir = promisify<string>(fs.rmdir);
const symlink = promisify<string, string>(fs.symlink);
const unlink = promisify<string>(fs.unlink);
const readdir = promisify<string, string[]>(fs.readdir);

const MODE = 0o1755;

/** A name in a directory that is held. */
export interface HostPlace {
  readonly directory: HeldDirectory;
  readonly name: string;
}

/** For a name that is missing. Throws when something is there, or in the way. */
export function occupyAtOnce({ directory, name }: HostPlace, mark: SharedMark): void {
  fs.mkdirSync(directory.entry(name), MODE);
  mark.leaveIn(directory.child(name));
}

/**
 * Throws when the directory is not gone then: it is for `vacate` to say what is left, and whose it is. It is held until its name
 * is gone, so that the slow part, freeing it, comes when the end of the command is told, and not on the event loop.
 */
export function vacateAtOnce({ directory, name }: HostPlace): void {
  const made = directory.child(name);
  try {
    fs.unlinkSync(made.entry(ownMark()));
    if (looksLikeMountPoint(made.mode)) fs.rmdirSync(directory.entry(name));
  } finally {
    made.closeLater();
  }
}

/** Whether this process is counted there already. */
export function isUsedHere(place: HostPlace): boolean {
  try {
    return within(place, (made) => made.look(ownMark()) !== undefined);
  } catch {
    return false; // what stands there says why when it is to be used
  }
}

export async function occupy(place: HostPlace): Promise<void> {
  const { directory, name } = place;
  // Another process may remove the directory between the two steps, because its own use has just ended.
  for (let attempt = 0; attempt < 10; attempt += 1) {
    try {
      await unlessThere(mkdir(directory.entry(name), MODE));
      await withinLater(place, (made) => unlessThere(makeMark(made.entry(ownMark()))));
      return;
    } catch (error) {
      if (codeOf(error) === 'ENOENT') continue;
      throw cannotProtect(place, error);
    }
  }
  throw failure(place, ': it keeps disappearing');
}

/** Removes what `occupy` has made, and what dead processes have left. Says when something else stands there now. */
export async function vacate(place: HostPlace): Promise<string[]> {
  const path = `${place.directory.path}/${place.name}`;
  try {
    await withinLater(place, async (made) => {
      await removeMark(made, ownMark());
      const left = await removeDeadUses(made);
      if (left === 'nothing') await rmdir(place.directory.entry(place.name));
    });
    return [];
  } catch (error) {
    const code = codeOf(error);
    if (code === 'ENOENT' || code === 'ENOTEMPTY') return []; // gone, or in use by another sandbox
    if (code === 'ENOTDIR' || code === 'ELOOP') {
      return [`${path} was replaced while the command ran; what stands there now was left alone`];
    }
    return [`the mount point ${path} could not be removed: ${(error as Error).message}`];
  }
}

function within<T>({ directory, name }: HostPlace, act: (made: HeldDirectory) => T): T {
  const made = directory.child(name);
  try {
    return act(made);
  } finally {
    made.close();
  }
}

async function withinLater<T>(place: HostPlace, act: (made: HeldDirectory) => Promise<T>): Promise<T> {
  const made = place.directory.child(place.name);
  try {
    return await act(made);
  } finally {
    made.closeLater();
  }
}

function cannotProtect(place: HostPlace, error: unknown): SandboxError {
  const found = place.directory.look(place.name);
  if (found !== undefined && Number(found.uid) !== process.geteuid?.()) {
    return failure(place, `: user ${found.uid} has put something there meanwhile`, error);
  }
  return failure(place, `: ${(error as Error).message}`, error);
}

function failure({ directory, name }: HostPlace, why: string, cause?: unknown): SandboxError {
  return new SandboxError(
    'SANDBOX_PREPARE_FAILED',
    `cannot protect the missing path ${directory.path}/${name}${why}`,
    cause === undefined ? {} : { cause },
  );
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
    await symlink(markTarget, path);
  } catch (error) {
    // A file system without links (vfat, some shared folders).
    if (codeOf(error) !== 'EPERM' && codeOf(error) !== 'EOPNOTSUPP' && codeOf(error) !== 'ENOTSUP')
      throw error;
    await mkdir(path, 0o755);
  }
}

async function removeMark(made: HeldDirectory, mark: string): Promise<void> {
  try {
    await unlink(made.entry(mark));
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') await rmdir(made.entry(mark)).catch(() => undefined);
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

/** `nothing`: an empty mount point, which can go. An empty directory without the mode was there before, and stays. */
async function removeDeadUses(made: HeldDirectory): Promise<'nothing' | 'something'> {
  const names = await readdir(made.self);
  const marks = names.filter((name) => name.startsWith(markPrefix));
  const dead = marks.filter((name) => !describesLiveProcess(name.slice(markPrefix.length)));
  for (const name of dead) await removeMark(made, name);
  if (!looksLikeMountPoint(made.mode) || dead.length < marks.length) return 'something';
  if (names.length === marks.length) return 'nothing';
  await leaveToOwner(made);
  return 'something';
}

/** The directory is no longer empty, so it belongs to the process that filled it. */
async function leaveToOwner(made: HeldDirectory): Promise<void> {
  const handle = await open(made.self, fs.constants.O_RDONLY | fs.constants.O_DIRECTORY).catch(
    () => undefined,
  );
  try {
    await handle?.chmod(made.mode & 0o777);
  } catch {
    // Not ours: the directory works as it is.
  } finally {
    await handle?.close();
  }
}

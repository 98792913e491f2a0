// Many entries below one directory: what `fs/writeTree` does. A link below the root is never followed: one that stands
// where a file or a link goes is replaced, one that stands where a directory goes is an error. Writing the same entries
// again leaves the same tree, so a request whose answer was lost is sent again.
import * as fs from 'node:fs';
import { spreadOverDirectories, type TreeEntry } from '@codex/exec-protocol';
import { forEachBounded } from '../../bounded-parallel.js';
import { errnoError, FsError, isErrno, toFsError } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { createDirectory } from '../tree/create-directory.js';
import { type CheckedEntry, checkEntries } from './checked-entries.js';
import { runsOf } from './file-runs.js';
import { HeldDirectories } from './held-directories.js';

const { O_CREAT, O_DIRECTORY, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } = fs.constants;
const PERMISSIONS = 0o777;
const OWNER_WRITES = 0o200;
/** What keeps a thread pool of four busy. */
const FILES_AT_ONCE = 8;
const SLOW_CREATE_MS = 0.25;
/** The average is that of about so many. */
const CREATES_THAT_COUNT = 8;

export async function writeTree(
  calls: FileCalls,
  root: NativePath,
  entries: readonly TreeEntry[],
  payload: Uint8Array,
): Promise<void> {
  const checked = checkEntries(entries, payload);
  const directories = new HeldDirectories(calls, root);
  const pace = new CreatePace();
  const write = async (item: CheckedEntry): Promise<void> => {
    try {
      if (item.entry.kind === 'file') await writeFileEntry(calls, directories, { ...item, root, pace });
      else if (item.entry.kind === 'link') await writeLink(calls, directories, item);
      else if (item.names.length === 0) await writeRoot(calls, root, item.entry);
      else await writeDirectory(calls, directories, item);
    } catch (error) {
      throw about(item.entry, toFsError(error));
    }
  };
  try {
    for (const run of runsOf(spread(checked))) {
      await directories.makeRoom();
      await forEachBounded(run, FILES_AT_ONCE, write);
      // What is written synchronously holds the event loop: others get their turn between runs.
      if (run.length > 1) await new Promise((resolve) => setImmediate(resolve));
    }
  } finally {
    await directories.close();
  }
}

/** Files in different directories are made side by side; what waits for others, and what others wait for, keeps its place. */
function* spread(items: readonly CheckedEntry[]): Generator<CheckedEntry> {
  let files: CheckedEntry[] = [];
  for (const item of items) {
    if (!item.isAlone) files.push(item);
    else {
      yield* spreadOverDirectories(files, ({ entry }) => entry.path);
      yield item;
      files = [];
    }
  }
  yield* spreadOverDirectories(files, ({ entry }) => entry.path);
}

/**
 * How long this file system takes to make a file. Where that is much longer than a trip through the thread pool, several
 * threads make several at once.
 */
class CreatePace {
  #averageMs = 0;

  get isSlow(): boolean {
    return this.#averageMs > SLOW_CREATE_MS;
  }

  measure<T>(create: () => T): T {
    const begin = performance.now();
    const result = create();
    this.#averageMs += (performance.now() - begin - this.#averageMs) / CREATES_THAT_COUNT;
    return result;
  }
}

async function writeRoot(calls: FileCalls, root: NativePath, entry: TreeEntry): Promise<void> {
  await createDirectory(calls, root, { recursive: true });
  await setDirectoryAttributes(calls, root, { entry, follow: 0 });
}

async function writeDirectory(
  calls: FileCalls,
  directories: HeldDirectories,
  { entry, names }: CheckedEntry,
): Promise<void> {
  const place = await placeOf(directories, names);
  await calls.mkdir(place, (entry.mode ?? PERMISSIONS) & PERMISSIONS).catch((error: unknown) => {
    if (!isErrno(error, 'EEXIST')) throw error;
  });
  await setDirectoryAttributes(calls, place, { entry, follow: O_NOFOLLOW });
}

async function setDirectoryAttributes(
  calls: FileCalls,
  path: NativePath,
  { entry, follow }: { readonly entry: TreeEntry; readonly follow: number },
): Promise<void> {
  const fd = await calls.open(path, O_RDONLY | O_DIRECTORY | follow);
  try {
    await setMode(calls, fd, entry);
    await setTime(calls, fd, entry);
  } finally {
    await calls.close(fd);
  }
}

async function writeFileEntry(
  calls: FileCalls,
  directories: HeldDirectories,
  {
    entry,
    names,
    bytes,
    root,
    pace,
  }: CheckedEntry & { readonly root: NativePath; readonly pace: CreatePace },
): Promise<void> {
  const place = await placeOf(directories, names);
  const offset = entry.offset ?? 0;
  const mode = modeOf(entry);
  const { modifiedAtMs } = entry;
  const isNew = offset === 0 && (entry.size ?? bytes.byteLength) === bytes.byteLength;
  const file = { bytes, mode, hasExactMode: entry.mode !== undefined, modifiedAtMs };
  if (isNew && !pace.isSlow && pace.measure(() => calls.sync.create(root, place, file))) return;
  const fd = offset === 0 ? await openEmpty(calls, place, entry) : await openExisting(calls, place);
  try {
    // Before there is anything in it that the mode should keep from others.
    await setMode(calls, fd, entry);
    if (bytes.byteLength > 0) await calls.writeAll(fd, bytes, offset);
    await setTime(calls, fd, entry);
  } finally {
    await calls.close(fd);
  }
}

async function openEmpty(calls: FileCalls, place: NativePath, entry: TreeEntry): Promise<number> {
  const create = (): Promise<number> =>
    calls.open(place, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, modeOf(entry));
  try {
    return await create();
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  }
  if ((await calls.lstat(place)).isSymbolicLink()) {
    await calls.unlink(place);
    return create();
  }
  const fd = await openExisting(calls, place);
  try {
    await setMode(calls, fd, entry);
    await calls.ftruncate(fd, 0);
    return fd;
  } catch (error) {
    await calls.close(fd);
    throw error;
  }
}

async function openExisting(calls: FileCalls, place: NativePath): Promise<number> {
  const before = await calls.lstat(place);
  if (before.isDirectory()) throw errnoError('EISDIR');
  // Opening a FIFO or a device may wake what is behind it.
  if (!before.isFile()) throw errnoError('EEXIST');
  const open = (): Promise<number> => calls.open(place, O_WRONLY | O_NOFOLLOW | O_NONBLOCK);
  const fd = await open().catch((error: unknown) => {
    if (!isErrno(error, 'EACCES')) throw error;
    return openForItsOwner(calls, place, { open, error });
  });
  const stats = await calls.fstat(fd);
  if (stats.isFile()) return fd;
  await calls.close(fd);
  throw errnoError('EEXIST');
}

/** A file that its own mode keeps from being written, such as one of which the beginning came with the message before. */
async function openForItsOwner(
  calls: FileCalls,
  place: NativePath,
  { open, error }: { readonly open: () => Promise<number>; readonly error: unknown },
): Promise<number> {
  const reading = await calls.open(place, O_RDONLY | O_NOFOLLOW | O_NONBLOCK).catch(() => {
    throw error;
  });
  try {
    const stats = await calls.fstat(reading);
    const mode = stats.mode & PERMISSIONS;
    if (!stats.isFile() || (mode & OWNER_WRITES) !== 0) throw error;
    await calls.setMode(reading, mode | OWNER_WRITES);
    try {
      return await open();
    } finally {
      await calls.setMode(reading, mode);
    }
  } finally {
    await calls.close(reading);
  }
}

async function writeLink(
  calls: FileCalls,
  directories: HeldDirectories,
  { entry, names }: CheckedEntry,
): Promise<void> {
  const place = await placeOf(directories, names);
  const link = (): Promise<void> => calls.symlink(entry.target ?? '', place);
  try {
    await link();
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
    const found = await calls.lstat(place);
    if (found.isDirectory()) throw errnoError('EISDIR');
    // It is there already, maybe in a directory that can no longer be changed.
    if (found.isSymbolicLink() && (await calls.readlink(place)) === entry.target) return;
    await calls.unlink(place);
    await link();
  }
}

async function placeOf(directories: HeldDirectories, names: readonly string[]): Promise<NativePath> {
  return (await directories.get(names.slice(0, -1))).entry(names.at(-1) ?? '');
}

function modeOf({ mode = 0o666 }: TreeEntry): number {
  return mode & PERMISSIONS;
}

async function setMode(calls: FileCalls, fd: number, { mode }: TreeEntry): Promise<void> {
  if (mode !== undefined) await calls.setMode(fd, mode & PERMISSIONS);
}

async function setTime(calls: FileCalls, fd: number, { modifiedAtMs }: TreeEntry): Promise<void> {
  if (modifiedAtMs !== undefined) await calls.setTime(fd, modifiedAtMs);
}

function about({ path }: TreeEntry, error: FsError): FsError {
  const details = error.errno === undefined ? {} : { errno: error.errno };
  return new FsError(error.code, `${path === '' ? '.' : path}: ${error.message}`, { details, cause: error });
}

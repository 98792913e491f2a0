// Many entries below one directory: what `fs/writeTree` does. A link below the root is never followed: one that stands
// where a file or a link goes is replaced, one that stands where a directory goes is an error. Writing the same entries
// again leaves the same tree, so a request whose answer was lost is sent again.
import * as fs from 'node:fs';
import { spreadOverDirectories, type TreeEntry } from '@codex/exec-protocol';
import { forEachBounded } from '../../bounded-parallel.js';
import { errnoError, FsError, isErrno, toFsError } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import type { OpenDirectory } from '../paths/open-directory.js';
import { createDirectory } from '../tree/create-directory.js';
import { type CheckedEntry, checkEntries } from './checked-entries.js';
import { runsOf } from './file-runs.js';
import { HeldDirectories } from './held-directories.js';
import { modeOf, openEmpty, openExisting, PERMISSIONS, setMode, setTime } from './open-entry.js';
import { writePartial } from './partial-file.js';
import { atRootFile, isRootFile } from './root-file.js';

const { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } = fs.constants;
/** What keeps a thread pool of four busy. */
const FILES_AT_ONCE = 8;
const SLOW_CREATE_MS = 0.25;
/** The average is that of about so many. */
const CREATES_THAT_COUNT = 16;
/** More says that the process had to wait for a processor. A few such say nothing about the file system. */
const MOST_THAT_COUNTS_MS = 1;

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
      if (isRootFile(item))
        await atRootFile(calls, root, (directory, name) =>
          writeFileEntry(calls, { ...item, directory, name, root, pace }),
        );
      else if (item.entry.kind === 'file') {
        const directory = await directories.get(item.names.slice(0, -1));
        const name = item.names.at(-1) ?? '';
        await writeFileEntry(calls, { ...item, directory, name, root, pace });
      } else if (item.entry.kind === 'link') await writeLink(calls, directories, item);
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
    const spentMs = Math.min(performance.now() - begin, MOST_THAT_COUNTS_MS);
    this.#averageMs += (spentMs - this.#averageMs) / CREATES_THAT_COUNT;
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

interface FileToWrite extends CheckedEntry {
  readonly directory: OpenDirectory;
  readonly name: NativePath;
  readonly root: NativePath;
  readonly pace: CreatePace;
}

async function writeFileEntry(calls: FileCalls, file: FileToWrite): Promise<void> {
  const { entry, bytes, directory, name, root, pace } = file;
  const { partial } = entry;
  if (partial !== undefined)
    return writePartial(calls, { directory, name, bytes, entry: { ...entry, partial } });
  const place = directory.entry(name);
  const offset = entry.offset ?? 0;
  const mode = modeOf(entry);
  const { modifiedAtMs } = entry;
  const isNew = offset === 0 && (entry.size ?? bytes.byteLength) === bytes.byteLength;
  const newFile = {
    bytes,
    mode,
    modifiedAtMs,
    exactModes: entry.mode === undefined ? undefined : directory.exactModes,
  };
  if (isNew && !pace.isSlow && pace.measure(() => calls.sync.create(root, place, newFile))) return;
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

function about({ path, kind }: TreeEntry, error: FsError): FsError {
  // A root that is a file is what the request itself names.
  if (path === '' && kind === 'file') return error;
  const details = error.errno === undefined ? {} : { errno: error.errno };
  return new FsError(error.code, `${path === '' ? '.' : path}: ${error.message}`, { details, cause: error });
}

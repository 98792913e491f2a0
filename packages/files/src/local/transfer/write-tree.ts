// Many entries below one directory: what `fs/writeTree` does. A link below the root is never followed: one that stands
// where a file or a link goes is replaced, one that stands where a directory goes is an error. Writing the same entries
// again leaves the same tree, so a request whose answer was lost is sent again.
import * as fs from 'node:fs';
import { spreadOverDirectories, type TreeEntry } from '@codex/exec-protocol';
import { forEachBounded } from '../../bounded-parallel.js';
import { errnoError, FsError, isErrno, toFsError } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import type { NewFile } from '../calls/sync-calls.js';
import type { OpenDirectory } from '../paths/open-directory.js';
import { createDirectory } from '../tree/create-directory.js';
import { type CheckedEntry, checkEntries } from './checked-entries.js';
import { runsOf } from './file-runs.js';
import { HeldDirectories } from './held-directories.js';
import { modeOf, openEmpty, openExisting, PERMISSIONS, setMode, setTime } from './open-entry.js';
import { writePartial } from './partial-file.js';
import { makeDirectory } from './quick-entries.js';
import { atRootFile, isRootFile } from './root-file.js';
import { Turns } from './turns.js';

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
  const job = { calls, root, directories: new HeldDirectories(calls, root), pace: new CreatePace() };
  const turns = new Turns();
  try {
    let files: CheckedEntry[] = [];
    for (const item of checked) {
      if (!item.isAlone) {
        files.push(item);
        continue;
      }
      await writeFiles(job, files, turns);
      files = [];
      if (turns.isOver) await turns.next();
      await job.directories.makeRoom();
      if (!makeQuickly(job, item)) await writeEntry(job, item);
    }
    await writeFiles(job, files, turns);
  } finally {
    await job.directories.close();
  }
}

interface Job {
  readonly calls: FileCalls;
  readonly root: NativePath;
  readonly directories: HeldDirectories;
  readonly pace: CreatePace;
}

async function writeEntry(job: Job, item: CheckedEntry): Promise<void> {
  const { calls, root, directories } = job;
  try {
    if (isRootFile(item))
      await atRootFile(calls, root, (directory, name) => writeFileEntry(calls, { ...item, directory, name }));
    else if (item.entry.kind === 'file') {
      const directory = await directories.get(item.names.slice(0, -1));
      await writeFileEntry(calls, { ...item, directory, name: item.names.at(-1) ?? '' });
    } else if (item.entry.kind === 'link') await writeLink(calls, directories, item);
    else if (item.names.length === 0) await writeRoot(calls, root, item.entry);
    else await writeDirectory(calls, directories, item);
  } catch (error) {
    throw about(item.entry, toFsError(error));
  }
}

/** Small new files one after the other on the event loop, where that is quick; the others several at once. */
async function writeFiles(job: Job, files: readonly CheckedEntry[], turns: Turns): Promise<void> {
  const left: CheckedEntry[] = [];
  const leftPaths = new Set<string>();
  for (const file of files) {
    if (turns.isOver) await turns.next();
    if (job.directories.isFull) await job.directories.close();
    const { path } = file.entry;
    // Two entries of one path are carried out in their order.
    if (!leftPaths.has(path) && createQuickly(job, file)) continue;
    left.push(file);
    leftPaths.add(path);
  }
  // In different directories side by side.
  for (const run of runsOf(spreadOverDirectories(left, ({ entry }) => entry.path))) {
    await job.directories.makeRoom();
    await forEachBounded(run, FILES_AT_ONCE, (file) => writeEntry(job, file));
    await turns.next();
  }
}

/** False: the long way has to be taken. */
function createQuickly(
  { calls, root, directories, pace }: Job,
  { entry, names, bytes }: CheckedEntry,
): boolean {
  if (names.length === 0 || entry.partial !== undefined || !isWholeFile(entry, bytes) || pace.isSlow)
    return false;
  const directory = directories.getQuickly(directoryOf(entry.path));
  if (directory === undefined) return false;
  const place = directory.entry(names.at(-1) ?? '');
  return pace.measure(() => calls.sync.create(root, place, newFileOf(entry, { bytes, directory })));
}

/** A directory, with its attributes. False: the long way has to be taken. */
function makeQuickly({ calls, root, directories, pace }: Job, { entry, names }: CheckedEntry): boolean {
  if (entry.kind !== 'directory' || names.length === 0 || pace.isSlow) return false;
  const place = directories.getQuickly(directoryOf(entry.path))?.entry(names.at(-1) ?? '');
  if (place === undefined) return false;
  return pace.measure(() => calls.sync.run(root, () => makeDirectory(place, entry))) === true;
}

function isWholeFile({ offset = 0, size }: TreeEntry, bytes: Uint8Array): boolean {
  return offset === 0 && (size ?? bytes.byteLength) === bytes.byteLength;
}

function newFileOf(
  entry: TreeEntry,
  { bytes, directory }: { readonly bytes: Uint8Array; readonly directory: OpenDirectory },
): NewFile {
  const exactModes = entry.mode === undefined ? undefined : directory.exactModes;
  return { bytes, mode: modeOf(entry), modifiedAtMs: entry.modifiedAtMs, exactModes };
}

function directoryOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
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
}

async function writeFileEntry(calls: FileCalls, file: FileToWrite): Promise<void> {
  const { entry, bytes, directory, name } = file;
  const { partial } = entry;
  if (partial !== undefined)
    return writePartial(calls, { directory, name, bytes, entry: { ...entry, partial } });
  const place = directory.entry(name);
  const offset = entry.offset ?? 0;
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

// Files on the local disk for uploads and downloads. A download writes beside its target and renames, so that a
// half-written file is never seen.

import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, lstatSync, readFile, type Stats } from 'node:fs';
import { lstat, mkdir, readdir, readlink, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { staysInside } from '@codex/exec-protocol';
import type { EntriesOptions, LocalEntry, LocalFiles } from '../platform.js';
import { PERMISSIONS } from './local-file-steps.js';
import { openSource } from './node-file-source.js';
import { fileWriter } from './node-file-writer.js';
import { NodeTreeWriter } from './node-tree-writer.js';
import { QuickDisk } from './quick-disk.js';
import { readSmallFile } from './small-files.js';

const BLOCK_BYTES = 1024 * 1024;
// The form with a callback takes a fraction of what `fs/promises` does for a small file.
const readWholeFile = promisify(readFile);

export const localFiles: LocalFiles = {
  entries: async (root, options) => {
    const entries: LocalEntry[] = [];
    await collect({ root, entries, options, disk: await QuickDisk.of(root) }, []);
    return entries;
  },
  read: (root, path) => createReadStream(join(root, path), { highWaterMark: BLOCK_BYTES }),
  readWhole: (root, { path, size, isOnQuickDisk = false }) => {
    const place = join(root, path);
    if (!isOnQuickDisk) return readWholeFile(place);
    const read = (): Uint8Array | undefined => readSmallFile(place, size);
    if (QuickDisk.isTurnOver) return QuickDisk.run(read).then((bytes) => bytes ?? readWholeFile(place));
    return QuickDisk.runNow(read) ?? readWholeFile(place);
  },
  makeDirectory: async (root, path) => void (await mkdir(join(root, path), { recursive: true })),
  write: async (root, path, data) => {
    const target = join(root, path);
    // Not made of the target's name, which may be as long as a name can be.
    const partial = join(dirname(target), `.${randomUUID()}.part`);
    try {
      await pipeline(Readable.from(data), createWriteStream(partial));
      await rename(partial, target);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  },
  treeWriter: (root) => new NodeTreeWriter(root),
  openSource,
  fileWriter,
};

interface Collection {
  readonly root: string;
  readonly entries: LocalEntry[];
  readonly options: EntriesOptions;
  readonly disk: QuickDisk;
}

interface Name {
  readonly text: string;
  readonly isDirectory: boolean;
}

async function collect(collection: Collection, names: readonly string[]): Promise<void> {
  const { root, entries, options, disk } = collection;
  const path = names.join('/');
  const place = join(root, path);
  const keepsLink = options.links === 'keep' && names.length > 0;
  const found = keepsLink ? await lstat(place) : await statOrBroken(place, path);
  if (found === undefined) return options.onSkip?.({ path, why: 'brokenLink' });
  if (options.excludes?.(names, found.isDirectory()) === true) return;
  const isOnQuickDisk = disk.has(found.dev);
  if (found.isFile()) entries.push(fileEntry(path, found, isOnQuickDisk));
  else if (found.isSymbolicLink()) await collectLink(collection, path);
  else if (!found.isDirectory()) options.onSkip?.({ path, why: 'notAFile' });
  if (!found.isDirectory()) return;
  entries.push({ path, kind: 'directory', size: 0, ...attributesOf(found) });
  const isQuick = options.links === 'keep' && isOnQuickDisk;
  const within: Listed = { collection, names, place };
  for (const name of await namesOf(place, (broken) => skipName(collection, [...names, broken]))) {
    if (isQuick && QuickDisk.isTurnOver) await QuickDisk.nextTurn();
    // Another file system may be mounted at a directory.
    if (isQuick && !name.isDirectory && collectQuickly(within, name.text)) continue;
    await collect(collection, [...names, name.text]);
  }
}

interface Listed {
  readonly collection: Collection;
  /** Of the directory in its tree, and where it lies. */
  readonly names: readonly string[];
  readonly place: string;
}

/** A regular file. False: it is something else, or has to be looked at the long way. */
function collectQuickly({ collection, names, place }: Listed, name: string): boolean {
  const found = QuickDisk.runNow(() => lstatSync(`${place}/${name}`));
  if (found?.isFile() !== true) return false;
  const { entries, options, disk } = collection;
  const itsNames = [...names, name];
  if (options.excludes?.(itsNames, false) !== true)
    entries.push(fileEntry(itsNames.join('/'), found, disk.has(found.dev)));
  return true;
}

function fileEntry(path: string, found: Stats, isOnQuickDisk: boolean): LocalEntry {
  return { path, kind: 'file', size: found.size, isOnQuickDisk, ...attributesOf(found) };
}

function attributesOf({ mode, mtimeMs }: Stats): Pick<LocalEntry, 'mode' | 'modifiedAtMs'> {
  return { mode: mode & PERMISSIONS, modifiedAtMs: Math.floor(mtimeMs) };
}

function skipName({ options }: Collection, names: readonly string[]): void {
  options.onSkip?.({ path: names.join('/'), why: 'nameIsNotText' });
}

/** Sorted. No text leads to a file whose name is not UTF-8. */
async function namesOf(directory: string, onBroken: (name: string) => void): Promise<Name[]> {
  const names: Name[] = [];
  // Node types these names as text; they are bytes.
  const options = { withFileTypes: true, encoding: 'buffer' } as const;
  for (const found of await readdir(directory, options)) {
    const bytes: Uint8Array = found.name;
    if (isUtf8(bytes)) names.push({ text: String(bytes), isDirectory: found.isDirectory() });
    else onBroken(String(bytes));
  }
  return names.sort((left, right) => (left.text < right.text ? -1 : 1));
}

async function collectLink({ root, entries, options }: Collection, path: string): Promise<void> {
  const target = await readlink(join(root, path));
  if (staysInside(path, target)) entries.push({ path, kind: 'link', size: 0, target });
  else options.onSkip?.({ path, why: 'linkLeadsOut' });
}

/** Undefined for a link below the root that leads nowhere, or in a circle. */
async function statOrBroken(place: string, path: string): Promise<Stats | undefined> {
  try {
    return await stat(place);
  } catch (error) {
    const code: unknown = error instanceof Error ? Reflect.get(error, 'code') : undefined;
    if (path === '' || (code !== 'ENOENT' && code !== 'ELOOP')) throw error;
    if ((await lstat(place)).isSymbolicLink()) return undefined;
    throw error;
  }
}

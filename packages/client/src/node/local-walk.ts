// Looks for everything in a local directory that is uploaded. Where the disk is quick it does so on the event loop, in slices short
// enough that others read what it has found meanwhile.

import { isUtf8 } from 'node:buffer';
import { lstatSync, opendirSync, type Stats } from 'node:fs';
import { lstat, readdir, readlink, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { staysInside } from '@codex/exec-protocol';
import type { EntriesOptions, LocalEntry } from '../platform.js';
import { PERMISSIONS } from './local-file-steps.js';
import { QuickDisk } from './quick-disk.js';

/** What is listed on the event loop: one call of the kernel has about so many. */
const MOST_LISTED = 512;

export async function walkLocal(root: string, options: EntriesOptions): Promise<LocalEntry[]> {
  const entries: LocalEntry[] = [];
  const take = (entry: LocalEntry): void => {
    entries.push(entry);
    options.onEntry?.(entry);
  };
  await collect({ root, take, options, disk: await QuickDisk.of(root), turn: new WalkTurn() }, []);
  return entries;
}

interface Collection {
  readonly root: string;
  readonly options: EntriesOptions;
  readonly disk: QuickDisk;
  readonly turn: WalkTurn;
  take(entry: LocalEntry): void;
}

/** What a walk takes of a turn of the event loop: most is left to those who read what it finds. */
const WALK_SLICE_MS = 1;

class WalkTurn {
  #began = performance.now();

  get isOver(): boolean {
    return QuickDisk.isTurnOver || performance.now() - this.#began >= WALK_SLICE_MS;
  }

  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    while (QuickDisk.isTurnOver) await QuickDisk.nextTurn();
    this.#began = performance.now();
  }
}

interface Name {
  readonly text: string;
  readonly isDirectory: boolean;
}

async function collect(collection: Collection, names: readonly string[]): Promise<void> {
  const { root, options, disk, turn } = collection;
  const path = names.join('/');
  const place = join(root, path);
  const keepsLink = options.links === 'keep' && names.length > 0;
  const found = keepsLink ? await lstat(place) : await statOrBroken(place, path);
  if (found === undefined) return options.onSkip?.({ path, why: 'brokenLink' });
  if (options.excludes?.(names, found.isDirectory()) === true) return;
  const isOnQuickDisk = disk.has(found.dev);
  if (found.isFile()) collection.take(fileEntry(path, found, isOnQuickDisk));
  else if (found.isSymbolicLink()) await collectLink(collection, path);
  else if (!found.isDirectory()) options.onSkip?.({ path, why: 'notAFile' });
  if (!found.isDirectory()) return;
  collection.take({ path, kind: 'directory', size: 0, ...attributesOf(found) });
  const isQuick = options.links === 'keep' && isOnQuickDisk;
  const within: Listed = { collection, names, path, place };
  const listed = isQuick ? QuickDisk.runNow(() => listSmallDirectory(place)) : undefined;
  for (const name of namesIn(listed ?? (await list(place)), (broken) =>
    skipName(collection, [...names, broken]),
  )) {
    if (isQuick && turn.isOver) await turn.next();
    // Another file system may be mounted at a directory.
    if (isQuick && !name.isDirectory && collectQuickly(within, name.text)) continue;
    await collect(collection, [...names, name.text]);
  }
}

interface Listed {
  readonly collection: Collection;
  /** Of the directory in its tree, and where it lies. */
  readonly names: readonly string[];
  readonly path: string;
  readonly place: string;
}

/** A regular file. False: it is something else, or has to be looked at the long way. */
function collectQuickly({ collection, names, path, place }: Listed, name: string): boolean {
  const found = QuickDisk.runNow(() => lstatSync(`${place}/${name}`));
  if (found?.isFile() !== true) return false;
  const { options, disk } = collection;
  if (options.excludes?.([...names, name], false) !== true)
    collection.take(fileEntry(path === '' ? name : `${path}/${name}`, found, disk.has(found.dev)));
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

/** Node types these names as text; they are bytes. */
interface Found {
  readonly name: Uint8Array;
  isDirectory(): boolean;
}

function list(directory: string): Promise<readonly Found[]> {
  return readdir(directory, { withFileTypes: true, encoding: 'buffer' });
}

/** Undefined: there are many. */
function listSmallDirectory(place: string): readonly Found[] | undefined {
  const directory = opendirSync(place, { encoding: 'buffer' as BufferEncoding, bufferSize: MOST_LISTED });
  try {
    const found: Found[] = [];
    for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) {
      if (found.length === MOST_LISTED) return undefined;
      found.push(entry as unknown as Found);
    }
    return found;
  } finally {
    directory.closeSync();
  }
}

/** Sorted. No text leads to a file whose name is not UTF-8. */
function namesIn(listed: readonly Found[], onBroken: (name: string) => void): Name[] {
  const names: Name[] = [];
  for (const found of listed) {
    const bytes = found.name;
    if (isUtf8(bytes)) names.push({ text: String(bytes), isDirectory: found.isDirectory() });
    else onBroken(String(bytes));
  }
  return names.sort((left, right) => (left.text < right.text ? -1 : 1));
}

async function collectLink({ root, options, take }: Collection, path: string): Promise<void> {
  const target = await readlink(join(root, path));
  if (staysInside(path, target)) take({ path, kind: 'link', size: 0, target });
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

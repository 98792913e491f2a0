// Files on the local disk for uploads and downloads. A download writes beside its target and renames, so that a
// half-written file is never seen.

import { isUtf8 } from 'node:buffer';
import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, readFile, type Stats } from 'node:fs';
import { lstat, mkdir, readdir, readlink, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { staysInside } from '@codex/exec-protocol';
import type { EntriesOptions, LocalEntry, LocalFiles } from '../platform.js';
import { openSource } from './node-file-source.js';
import { fileWriter } from './node-file-writer.js';
import { NodeTreeWriter } from './node-tree-writer.js';

const BLOCK_BYTES = 1024 * 1024;
// The form with a callback takes a fraction of what `fs/promises` does for a small file.
const readWholeFile = promisify(readFile);

export const localFiles: LocalFiles = {
  entries: async (root, options) => {
    const entries: LocalEntry[] = [];
    await collect({ root, entries, options }, []);
    return entries;
  },
  read: (root, path) => createReadStream(join(root, path), { highWaterMark: BLOCK_BYTES }),
  readWhole: (root, path) => readWholeFile(join(root, path)),
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
}

async function collect(collection: Collection, names: readonly string[]): Promise<void> {
  const { root, entries, options } = collection;
  const path = names.join('/');
  const place = join(root, path);
  const keepsLink = options.links === 'keep' && names.length > 0;
  const found = keepsLink ? await lstat(place) : await statOrBroken(place, path);
  if (found === undefined) return options.onSkip?.({ path, why: 'brokenLink' });
  if (options.excludes?.(names, found.isDirectory()) === true) return;
  const attributes = { mode: found.mode & 0o777, modifiedAtMs: Math.floor(found.mtimeMs) };
  if (found.isFile()) entries.push({ path, kind: 'file', size: found.size, ...attributes });
  else if (found.isSymbolicLink()) await collectLink(collection, path);
  else if (!found.isDirectory()) options.onSkip?.({ path, why: 'notAFile' });
  if (!found.isDirectory()) return;
  entries.push({ path, kind: 'directory', size: 0, ...attributes });
  for (const name of await namesOf(place, (broken) => skipName(collection, [...names, broken])))
    await collect(collection, [...names, name]);
}

function skipName({ options }: Collection, names: readonly string[]): void {
  options.onSkip?.({ path: names.join('/'), why: 'nameIsNotText' });
}

/** What stands in for bytes that are not UTF-8, and may also be in a name as it is. */
const REPLACEMENT = '\ufffd';

/** Sorted. No text leads to a file whose name is not UTF-8. */
async function namesOf(directory: string, onBroken: (name: string) => void): Promise<string[]> {
  const names = (await readdir(directory)).sort();
  if (!names.some((name) => name.includes(REPLACEMENT))) return names;
  const raw = await readdir(directory, { encoding: 'buffer' });
  for (const bytes of raw) if (!isUtf8(bytes)) onBroken(String(bytes));
  return raw
    .filter((bytes) => isUtf8(bytes))
    .map(String)
    .sort();
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

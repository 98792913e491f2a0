// Files on the local disk for uploads and downloads: regular files and directories; links are followed, broken
// ones and anything else are left out and told. A download writes beside its target and renames, so that a half-written
// file is never seen.

import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, type Stats } from 'node:fs';
import { lstat, mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { LocalEntry, LocalFiles, SkippedEntry } from '../platform.js';

const BLOCK_BYTES = 1024 * 1024;

export const localFiles: LocalFiles = {
  entries: async (root, onSkip = () => {}) => {
    const entries: LocalEntry[] = [];
    await collect({ root, entries, skip: onSkip }, '');
    return entries;
  },
  read: (root, path) => createReadStream(join(root, path), { highWaterMark: BLOCK_BYTES }),
  makeDirectory: async (root, path) => void (await mkdir(join(root, path), { recursive: true })),
  write: async (root, path, data) => {
    const target = join(root, path);
    const partial = `${target}.${randomUUID()}.part`;
    try {
      await pipeline(Readable.from(data), createWriteStream(partial));
      await rename(partial, target);
    } catch (error) {
      await rm(partial, { force: true });
      throw error;
    }
  },
};

interface Collection {
  readonly root: string;
  readonly entries: LocalEntry[];
  skip(skipped: SkippedEntry): void;
}

async function collect(collection: Collection, path: string): Promise<void> {
  const { root, entries, skip } = collection;
  const found = await statOrBroken(join(root, path), path);
  if (found === undefined) {
    skip({ path, why: 'brokenLink' });
    return;
  }
  const mode = found.mode & 0o7777;
  if (found.isFile()) entries.push({ path, kind: 'file', size: found.size, mode });
  else if (!found.isDirectory()) skip({ path, why: 'notAFile' });
  if (!found.isDirectory()) return;
  entries.push({ path, kind: 'directory', size: 0, mode });
  for (const name of (await readdir(join(root, path))).sort()) {
    await collect(collection, path === '' ? name : `${path}/${name}`);
  }
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

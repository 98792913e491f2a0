// Files on the local disk for uploads and downloads: regular files and directories; links are followed, anything else
// is left out. A download writes beside its target and renames, so that nobody sees half a file.

import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { LocalEntry, LocalFiles } from '../platform.js';

const BLOCK_BYTES = 1024 * 1024;

export const localFiles: LocalFiles = {
  entries: async (root) => {
    const entries: LocalEntry[] = [];
    await collect(root, '', entries);
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

async function collect(root: string, path: string, entries: LocalEntry[]): Promise<void> {
  const found = await stat(join(root, path));
  if (found.isFile()) entries.push({ path, kind: 'file', size: found.size });
  if (!found.isDirectory()) return;
  entries.push({ path, kind: 'directory', size: 0 });
  for (const name of (await readdir(join(root, path))).sort()) {
    await collect(root, path === '' ? name : `${path}/${name}`, entries);
  }
}

// Files on the local disk for uploads and downloads. A download writes beside its target and renames, so that a
// half-written file is never seen.

import { randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream, readFile } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { LocalFiles } from '../platform.js';
import { walkLocal } from './local-walk.js';
import { openSource } from './node-file-source.js';
import { fileWriter } from './node-file-writer.js';
import { NodeTreeWriter } from './node-tree-writer.js';
import { QuickDisk } from './quick-disk.js';
import { readSmallFile } from './small-files.js';

const BLOCK_BYTES = 1024 * 1024;
// The form with a callback takes a fraction of what `fs/promises` does for a small file.
const readWholeFile = promisify(readFile);

export const localFiles: LocalFiles = {
  entries: walkLocal,
  read: (root, path) => createReadStream(join(root, path), { highWaterMark: BLOCK_BYTES }),
  readWhole: (root, { path, size, isOnQuickDisk = false }) => {
    const place = path === '' ? root : `${root}/${path}`;
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

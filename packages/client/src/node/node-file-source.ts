// A local file that is uploaded: held open, so that it stays the same file, and looked at again when all of it was read.
// One that only grows, as a log does, is uploaded up to the size that it had at the start.
// What it does not stop: one that is written anew, longer and with the same beginning, is taken for one that grew.

import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { lookPastAppend } from '@codex/exec-protocol';
import { ExecServerError } from '../exec-server-error.js';
import type { LocalSource } from '../platform.js';

const PERMISSIONS = 0o777;
/** So much of its beginning is compared when it has grown. */
const BEGINNING_BYTES = 64 * 1024;

export async function openSource(path: string): Promise<LocalSource> {
  // What was a file when it was looked at may be a FIFO now.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (!stats.isFile()) throw new ExecServerError('fs.io', `${path}: is no file`, { details: { path } });
    const { mtimeMs } = stats;
    const attributes = { mode: stats.mode & PERMISSIONS, modifiedAtMs: Math.floor(mtimeMs) };
    const close = (): Promise<void> => file.close();
    // Files of /proc and the like say that they have no bytes.
    if (stats.size === 0) return { ...attributes, ...inMemory(await file.readFile()), close };
    const beginning = await readBeginning(file, stats.size);
    return {
      ...attributes,
      size: stats.size,
      read: (memory, offset) => readFully(file, memory, offset),
      hasChanged: async () => {
        const now = await lookPastAppend({
          look: () => file.stat(),
          mayBeBetween: ({ size, mtimeMs }) => size === stats.size && mtimeMs !== stats.mtimeMs,
          pause: sleep,
        });
        if (now.size <= stats.size) return now.size < stats.size || now.mtimeMs !== mtimeMs;
        const again = await readBeginning(file, stats.size);
        return again.length !== beginning.length || again.some((byte, at) => byte !== beginning[at]);
      },
      close,
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

function inMemory(bytes: Uint8Array): Pick<LocalSource, 'size' | 'read' | 'hasChanged'> {
  return {
    size: bytes.length,
    read: async (memory, offset) => {
      const piece = bytes.subarray(offset, offset + memory.length);
      memory.set(piece);
      return piece.length;
    },
    hasChanged: async () => false,
  };
}

async function readBeginning(file: FileHandle, size: number): Promise<Uint8Array> {
  const memory = new Uint8Array(Math.min(size, BEGINNING_BYTES));
  return memory.subarray(0, await readFully(file, memory, 0));
}

async function readFully(file: FileHandle, memory: Uint8Array, offset: number): Promise<number> {
  let taken = 0;
  while (taken < memory.length) {
    const { bytesRead } = await file.read(memory, taken, memory.length - taken, offset + taken);
    if (bytesRead === 0) break;
    taken += bytesRead;
  }
  return taken;
}

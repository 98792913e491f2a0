// Whole-file reads into one buffer of the file's size. A file that grows meanwhile is read as far as it went when it
// was opened, so that no writer can keep a read going.

import { Buffer } from 'node:buffer';
import type { ReadFileOptions } from '../../file-system.js';
import { type FsError, invalidInput } from '../../fs-error.js';
import type { NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { type OpenedFile, openForReading } from '../paths/regular-file.js';
import { withTarget } from '../paths/target.js';

/** Files of /proc and the like say they are empty: read them in steps of this size. */
const UNKNOWN_SIZE_STEP = 16 * 1024;

export function fileTooLarge(limit: number): FsError {
  return invalidInput(`file is too large to read: limit is ${limit} bytes`);
}

export async function readFile(
  calls: FileCalls,
  path: NativePath,
  options: ReadFileOptions,
): Promise<Buffer> {
  const follows = options.followSymlinks !== false;
  const known = follows ? calls.sync.readFile(path) : undefined;
  if (known !== undefined && known.length <= options.maxBytes) return known;
  return withTarget(calls, path, options, async (target) => {
    const file = await openForReading(calls, path, target);
    try {
      return await readAll(calls, file, options);
    } finally {
      await calls.close(file.fd);
    }
  });
}

async function readAll(
  calls: FileCalls,
  { fd, stats }: OpenedFile,
  options: ReadFileOptions,
): Promise<Buffer> {
  const { maxBytes, tooLarge = () => fileTooLarge(maxBytes) } = options;
  if (stats.size > maxBytes) throw tooLarge(stats.size);
  await options.reserve?.(stats.size);
  let buffer = memoryFor(stats.size, options);
  let filled = 0;
  for (;;) {
    const slice = { buffer, offset: filled, length: buffer.length - filled, position: null };
    const count = await calls.read(fd, slice);
    filled += count;
    if (filled > maxBytes) throw tooLarge(filled);
    if (count === 0 || filled === stats.size) return buffer.subarray(0, filled);
    if (filled === buffer.length) buffer = grown(buffer, maxBytes);
  }
}

function memoryFor(size: number, options: ReadFileOptions): Buffer {
  const lent = size === 0 ? undefined : options.memoryFor?.(size);
  if (lent === undefined) return Buffer.allocUnsafeSlow(size === 0 ? UNKNOWN_SIZE_STEP : size);
  return Buffer.from(lent.buffer, lent.byteOffset, size);
}

function grown(buffer: Buffer, maxBytes: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.min(buffer.length * 2, maxBytes + 1));
  buffer.copy(larger);
  return larger;
}

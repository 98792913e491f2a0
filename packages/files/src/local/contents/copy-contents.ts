// Copies the bytes and permission bits of one regular file, a block at a time. The copy belongs to this user and may lie where others
// can execute it, so it runs as nobody else: set-user-id and set-group-id bits stay behind. Blocks of zeros stay holes, so a
// sparse file stays sparse; a file is never copied onto itself, which would empty it.
import { Buffer } from 'node:buffer';
import type { Stats } from 'node:fs';
import type { NativePath } from '../../native-path.js';
import type { FileCalls } from '../calls/file-calls.js';
import { openForReading, openForWriting } from '../paths/regular-file.js';
import { NOFOLLOW_LEAF, type Target } from '../paths/target.js';

const BLOCK = 1024 * 1024;
const PERMISSIONS = 0o777;
const ZEROS = Buffer.alloc(64 * 1024);

/** `source` must not be a link; `destination` may be one, and is written through. */
export async function copyContents(
  calls: FileCalls,
  source: NativePath,
  destination: NativePath,
  signal?: AbortSignal,
): Promise<void> {
  const input = await openForReading(calls, source, {
    path: source,
    openFlags: NOFOLLOW_LEAF,
    followsLinks: true,
  });
  try {
    const mode = input.stats.mode & PERMISSIONS;
    const target: Target = { path: destination, openFlags: 0, followsLinks: true };
    const output = await openForWriting(calls, destination, target, { mode });
    try {
      if (isSameFile(input.stats, output.stats)) return;
      if (output.stats.size > 0) await calls.ftruncate(output.fd, 0);
      await copyBlocks(calls, input.fd, output.fd, signal);
      await calls.fchmod(output.fd, mode);
    } finally {
      await calls.close(output.fd);
    }
  } finally {
    await calls.close(input.fd);
  }
}

function isSameFile(left: Stats, right: Stats): boolean {
  return left.dev === right.dev && left.ino === right.ino;
}

async function copyBlocks(
  calls: FileCalls,
  input: number,
  output: number,
  signal?: AbortSignal,
): Promise<void> {
  const buffer = Buffer.allocUnsafeSlow(BLOCK);
  let position = 0;
  let endsInHole = false;
  for (;;) {
    signal?.throwIfAborted();
    const count = await calls.read(input, { buffer, offset: 0, length: BLOCK, position });
    if (count === 0) break;
    const block = buffer.subarray(0, count);
    endsInHole = isZero(block);
    if (!endsInHole) await calls.writeAll(output, block, position);
    position += count;
  }
  if (endsInHole) await calls.ftruncate(output, position);
}

function isZero(block: Buffer): boolean {
  for (let start = 0; start < block.length; start += ZEROS.length) {
    const end = Math.min(start + ZEROS.length, block.length);
    if (block.compare(ZEROS, 0, end - start, start, end) !== 0) return false;
  }
  return true;
}

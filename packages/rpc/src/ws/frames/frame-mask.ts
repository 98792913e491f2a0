// The client's frame mask (RFC 6455 5.3): fresh random bytes per frame, applied in place, four bytes at a time.

import { Buffer } from 'node:buffer';

const POOL_BYTES = 4096;
const pool = { bytes: Buffer.alloc(0), used: 0 };

/** The mask that changes nothing. */
export const NO_MASK: Buffer = Buffer.alloc(4);

/** Four unpredictable bytes. */
export function freshMask(): Buffer {
  if (pool.used + 4 > pool.bytes.length) {
    pool.bytes = crypto.getRandomValues(Buffer.allocUnsafe(POOL_BYTES));
    pool.used = 0;
  }
  pool.used += 4;
  return pool.bytes.subarray(pool.used - 4, pool.used);
}

export function maskInPlace(target: Buffer, start: number, mask: Uint8Array): void {
  const end = target.length;
  let position = start;
  while (position < end && (target.byteOffset + position) % 4 !== 0) xorByte(target, position++, start, mask);
  const wordCount = (end - position) >> 2;
  if (wordCount > 0) {
    // Both views have the machine's byte order, so the rotated mask fits whatever that is.
    const rotated = new Uint8Array(4);
    for (let index = 0; index < 4; index++) rotated[index] = mask[(position - start + index) & 3] ?? 0;
    const key = new Int32Array(rotated.buffer)[0] ?? 0;
    xorWords(new Int32Array(target.buffer, target.byteOffset + position, wordCount), key);
    position += wordCount * 4;
  }
  while (position < end) xorByte(target, position++, start, mask);
}

/** Four words per round take half the time of one; signed ones need no conversion. */
function xorWords(words: Int32Array, key: number): void {
  const rest = words.length % 4;
  const rounds = words.length - rest;
  for (let index = 0; index < rounds; index += 4) {
    words[index] = (words[index] ?? 0) ^ key;
    words[index + 1] = (words[index + 1] ?? 0) ^ key;
    words[index + 2] = (words[index + 2] ?? 0) ^ key;
    words[index + 3] = (words[index + 3] ?? 0) ^ key;
  }
  for (let index = rounds; index < words.length; index++) words[index] = (words[index] ?? 0) ^ key;
}

function xorByte(target: Buffer, position: number, start: number, mask: Uint8Array): void {
  target[position] = (target[position] ?? 0) ^ (mask[(position - start) & 3] ?? 0);
}

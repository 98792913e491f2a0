// Memory for large frames. One block is kept for the next frame while frames come: the pages of a fresh one cost more
// than everything that is done with the bytes, and every fresh one brings the next garbage collection nearer.
// It holds what the last message held until it is overwritten; nothing reads further than what has arrived.

import { Buffer } from 'node:buffer';

/** Larger messages are rare, and their memory is better given back. */
const MOST_KEPT_BYTES = 16 * 1024 * 1024;
const KEPT_MS = 1000;

const borrowed = new WeakSet<ArrayBufferLike>();
let spare: Buffer | undefined;
let timer: NodeJS.Timeout | undefined;

/** At least that many bytes, with anything in them. */
export function borrowMemory(bytes: number): Buffer {
  const memory = spare !== undefined && spare.length >= bytes ? spare : Buffer.allocUnsafeSlow(bytes);
  if (memory === spare) spare = undefined;
  borrowed.add(memory.buffer);
  return memory;
}

/** Only when nobody looks at the bytes any more. What was not borrowed here is left alone. */
export function returnMemory({ buffer }: Buffer): void {
  if (!borrowed.delete(buffer) || buffer.byteLength > MOST_KEPT_BYTES) return;
  if (spare === undefined || spare.length < buffer.byteLength) spare = Buffer.from(buffer as ArrayBuffer);
  timer ??= setTimeout(forget, KEPT_MS).unref();
  timer.refresh();
}

function forget(): void {
  spare = undefined;
  timer = undefined;
}

// Cuts output into frames of a bounded size that end at whole characters. Bytes that are no UTF-8 pass as they are.

import { Utf8Carry } from '@codex/exec-client';

export class Utf8Frames {
  readonly #maxBytes: number;
  readonly #carry = new Utf8Carry();

  /** A character takes up to four bytes, so less than that is never whole. */
  constructor(maxBytes: number) {
    this.#maxBytes = Math.max(4, maxBytes);
  }

  push(chunk: Uint8Array): Uint8Array[] {
    const { carried, wholeBytes } = this.#carry.next(chunk);
    if (carried.length + wholeBytes === 0) return [];
    return this.#cut(joined(carried, chunk.subarray(0, wholeBytes)));
  }

  /** What waited for the rest of a character that never came. */
  flush(): Uint8Array[] {
    const { pending } = this.#carry;
    this.#carry.reset();
    return pending.length === 0 ? [] : [pending];
  }

  #cut(bytes: Uint8Array): Uint8Array[] {
    const frames: Uint8Array[] = [];
    for (let start = 0; start < bytes.length; ) {
      const end = frameEnd(bytes, start, this.#maxBytes);
      frames.push(bytes.subarray(start, end));
      start = end;
    }
    return frames;
  }
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second;
  const bytes = new Uint8Array(first.length + second.length);
  bytes.set(first);
  bytes.set(second, first.length);
  return bytes;
}

function frameEnd(bytes: Uint8Array, start: number, maxBytes: number): number {
  const limit = start + maxBytes;
  if (limit >= bytes.length) return bytes.length;
  let end = limit;
  while (end > limit - 4 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  // Four continuation bytes in a row are no character: cut anywhere.
  return end === limit - 4 ? limit : end;
}

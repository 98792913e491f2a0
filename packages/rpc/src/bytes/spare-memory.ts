// A pool of one reusable buffer. The page faults of a fresh block of megabytes cost more than what is done with its
// bytes, and each fresh block brings the next full garbage collection nearer. The block is kept while there is use for
// it.
// It holds what was in it before: a borrower must not show more of it than was written.

import { Buffer } from 'node:buffer';
import type { PayloadMemory } from '../channel.js';

/** Larger blocks are rare, and better given back to the system. */
const MOST_KEPT_BYTES = 16 * 1024 * 1024;
const KEPT_MS = 1000;

export class SpareMemory implements PayloadMemory {
  readonly #borrowed = new WeakSet<ArrayBufferLike>();
  #spare: Buffer | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** At least that many bytes, with anything in them. What is not given back is garbage like any other. */
  borrow(bytes: number): Buffer {
    const spare = this.#spare;
    const isEnough = spare !== undefined && spare.length >= bytes;
    if (isEnough) this.#spare = undefined;
    const memory = isEnough ? spare : Buffer.allocUnsafeSlow(bytes);
    this.#borrowed.add(memory.buffer);
    return memory;
  }

  /** Only when the bytes are no longer used. What was not borrowed here is left alone. */
  release({ buffer }: Uint8Array): void {
    if (!this.#borrowed.delete(buffer) || buffer.byteLength > MOST_KEPT_BYTES) return;
    if (this.#spare === undefined || this.#spare.length < buffer.byteLength)
      this.#spare = Buffer.from(buffer);
    this.#timer ??= setTimeout(() => this.#forget(), KEPT_MS).unref();
    this.#timer.refresh();
  }

  #forget(): void {
    this.#spare = undefined;
    this.#timer = undefined;
  }
}

/** For frames while they arrive: free again when the message has been handed on. */
export const frameMemory: SpareMemory = new SpareMemory();

/** For long frames on their way out: free again when the socket has taken them. */
export const sendMemory: SpareMemory = new SpareMemory();

/** For decoded payloads: free again when a handler says so. */
export const payloadMemory: SpareMemory = new SpareMemory();

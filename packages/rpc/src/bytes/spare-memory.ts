// A pool of a few reusable buffers. The page faults of a fresh block of megabytes cost more than what is done with its
// bytes, and each fresh block brings the next full garbage collection nearer. Blocks are kept while there is use for
// them: several, because several payloads are on their way at once.
// A block holds what was in it before: a borrower must not show more of it than was written.

import { Buffer } from 'node:buffer';
import type { PayloadMemory } from '../channel.js';

/** Of all blocks. Larger ones are rare, and better given back to the system. */
const MOST_KEPT_BYTES = 16 * 1024 * 1024;
const KEPT_MS = 1000;

export class SpareMemory implements PayloadMemory {
  readonly #borrowed = new WeakSet<ArrayBufferLike>();
  /** The one given back last is the last. */
  #spares: Buffer[] = [];
  #timer: NodeJS.Timeout | undefined;

  /** At least that many bytes, with anything in them. What is not given back is garbage like any other. */
  borrow(bytes: number): Buffer {
    const place = this.#spares.findLastIndex(({ length }) => length >= bytes);
    const [spare] = place === -1 ? [] : this.#spares.splice(place, 1);
    const memory = spare ?? Buffer.allocUnsafeSlow(bytes);
    this.#borrowed.add(memory.buffer);
    return memory;
  }

  /** Only when the bytes are no longer used. What was not borrowed here is left alone. */
  release({ buffer }: Uint8Array): void {
    if (!this.#borrowed.delete(buffer) || buffer.byteLength > MOST_KEPT_BYTES) return;
    this.#spares.push(Buffer.from(buffer));
    this.#dropSmallest();
    this.#timer ??= setTimeout(() => this.#forget(), KEPT_MS).unref();
    this.#timer.refresh();
  }

  #dropSmallest(): void {
    let kept = this.#spares.reduce((sum, { length }) => sum + length, 0);
    for (; kept > MOST_KEPT_BYTES; ) {
      const smallest = Math.min(...this.#spares.map(({ length }) => length));
      this.#spares.splice(
        this.#spares.findIndex(({ length }) => length === smallest),
        1,
      );
      kept -= smallest;
    }
  }

  #forget(): void {
    this.#spares = [];
    this.#timer = undefined;
  }
}

/** For frames while they arrive: free again when the message has been handed on. */
export const frameMemory: SpareMemory = new SpareMemory();

/** For long frames on their way out: free again when the socket has taken them. */
export const sendMemory: SpareMemory = new SpareMemory();

/** For decoded payloads: free again when a handler says so. */
export const payloadMemory: SpareMemory = new SpareMemory();

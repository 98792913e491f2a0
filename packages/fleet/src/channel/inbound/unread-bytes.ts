// What has arrived and cannot be passed on yet. The sender chooses how its bytes are cut, so they are put together again: what
// they cost is what was granted, and no more for a frame with one byte, or with none.

import { Buffer } from 'node:buffer';

const CHUNK_BYTES = 16 * 1024;

export class UnreadBytes {
  #chunks: Buffer[] = [];
  /** How much of the last chunk is filled. */
  #filledBytes = 0;

  get isEmpty(): boolean {
    return this.#chunks.length === 0;
  }

  /** Copies the bytes. */
  add(bytes: Buffer): void {
    for (let position = 0; position < bytes.length; ) {
      const chunk = this.#chunkWithRoom(bytes.length - position);
      const copied = bytes.copy(chunk, this.#filledBytes, position);
      this.#filledBytes += copied;
      position += copied;
    }
  }

  /** The next of them, which belong to the caller. */
  take(): Buffer | undefined {
    const chunk = this.#chunks.shift();
    return this.#chunks.length === 0 ? chunk?.subarray(0, this.#filledBytes) : chunk;
  }

  clear(): void {
    this.#chunks = [];
  }

  #chunkWithRoom(bytes: number): Buffer {
    const last = this.#chunks.at(-1);
    if (last !== undefined && this.#filledBytes < last.length) return last;
    const chunk = Buffer.allocUnsafeSlow(Math.max(CHUNK_BYTES, bytes));
    this.#chunks.push(chunk);
    this.#filledBytes = 0;
    return chunk;
  }
}

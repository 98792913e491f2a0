// The contents of the files of a part of a tree, one behind the other. How much they are is not known when the first is read.
import { Buffer } from 'node:buffer';
import { TREE_PAYLOAD_BYTES } from '@codex/exec-protocol';
import { SMALL_FILE_BYTES } from '../../small-file.js';

const NOTHING = Buffer.alloc(0);
const FIRST_BYTES = 256 * 1024;

export class PartMemory {
  readonly #expected: number;
  #buffer = NOTHING;
  #used = 0;

  /** `enoughBytes`: about what a part will have. */
  constructor(enoughBytes = FIRST_BYTES) {
    this.#expected = Math.min(enoughBytes + SMALL_FILE_BYTES, TREE_PAYLOAD_BYTES);
  }

  get used(): number {
    return this.#used;
  }

  get contents(): Buffer {
    return this.#buffer.subarray(0, this.#used);
  }

  /** Memory with room for so much behind what is used. Good until the next call. */
  withRoomFor(length: number): Buffer {
    const needed = this.#used + length;
    if (needed > this.#buffer.length) {
      const larger = Buffer.allocUnsafeSlow(this.#sizeFor(needed));
      this.#buffer.copy(larger, 0, 0, this.#used);
      this.#buffer = larger;
    }
    return this.#buffer;
  }

  /** So much behind what was used is contents now, or will be filled later. */
  take(length: number): void {
    this.withRoomFor(length);
    this.#used += length;
  }

  #sizeFor(needed: number): number {
    // A large file is often alone.
    if (this.#used === 0) return needed > SMALL_FILE_BYTES ? needed : this.#expected;
    return Math.max(needed, Math.min(2 * this.#buffer.length, TREE_PAYLOAD_BYTES));
  }
}

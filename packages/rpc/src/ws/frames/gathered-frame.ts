// The payload of one large frame while it arrives, without its mask and in one piece. Memory grows with what has
// arrived: a header that announces much and brings little costs little.

import type { Buffer } from 'node:buffer';
import { frameMemory } from '../../bytes/spare-memory.js';
import { maskInPlace } from './frame-mask.js';

/** A block of a file with what stands before it. */
const FIRST_BYTES = 1024 * 1024 + 4096;
/**
 * At most this many times as much is taken as has arrived. Growing copies, so the steps are large; pages that nothing was
 * written to take no memory of the machine.
 */
const GROWTH = 16;

export class GatheredFrame {
  readonly length: number;
  readonly #mask: Uint8Array | undefined;
  #memory: Buffer;
  #filled = 0;

  constructor(length: number, mask: Uint8Array | undefined) {
    this.length = length;
    // A copy: the mask is a view of a whole block. One of zeros changes nothing.
    this.#mask = mask?.some((byte) => byte !== 0) === true ? Uint8Array.from(mask) : undefined;
    this.#memory = frameMemory.borrow(Math.min(length, FIRST_BYTES));
  }

  get missing(): number {
    return this.length - this.#filled;
  }

  /** Changes the block, which must not be longer than what is missing. */
  add(block: Buffer): void {
    if (this.#mask !== undefined) maskInPlace(block, 0, rotated(this.#mask, this.#filled));
    const end = this.#filled + block.length;
    if (end > this.#memory.length) this.#grow(end);
    block.copy(this.#memory, this.#filled);
    this.#filled = end;
  }

  /** Where the next bytes belong; they may be put there without being copied. */
  room(): Buffer {
    if (this.#filled === this.#memory.length && this.missing > 0) this.#grow(this.#filled + 1);
    return this.#memory.subarray(this.#filled, this.length);
  }

  /** So many bytes were put into the room. */
  fill(bytes: number): void {
    const end = this.#filled + bytes;
    if (this.#mask !== undefined)
      maskInPlace(this.#memory.subarray(0, end), this.#filled, rotated(this.#mask, this.#filled));
    this.#filled = end;
  }

  /** The whole payload, once nothing is missing. */
  get bytes(): Buffer {
    return this.#memory.subarray(0, this.length);
  }

  #grow(needed: number): void {
    const memory = frameMemory.borrow(Math.min(this.length, needed * GROWTH));
    this.#memory.copy(memory, 0, 0, this.#filled);
    this.#memory = memory;
  }
}

/** The mask as it falls on the byte at `position`. */
function rotated(mask: Uint8Array, position: number): Uint8Array {
  return Uint8Array.from(mask, (_, index) => mask[(index + position) & 3] ?? 0);
}

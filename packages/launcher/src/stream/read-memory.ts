// The memory that output is read into: a slab that is given away piece by piece, or one buffer that is read into again.
import type { OutputOptions } from '../launched-process.js';

export interface ReadMemory {
  /** Where the next read goes, or what says so before each one. */
  readonly target: Buffer | (() => Buffer);
  /** Gives out the first `length` bytes of the room. */
  take(length: number): Buffer;
}

/** As much as the widest pipe holds. One for all processes: what is read is looked at before anything else is read. */
const SHARED = Buffer.allocUnsafeSlow(256 * 1024);

const TRANSIENT: ReadMemory = {
  target: SHARED,
  take: (length) => SHARED.subarray(0, length),
};

export function readMemory({ transient = false }: OutputOptions = {}): ReadMemory {
  if (transient) return TRANSIENT;
  const slab = new ReadSlab();
  return { target: () => slab.room(), take: (length) => slab.take(length) };
}

const QUIET = { slabBytes: 32 * 1024, leastRoomBytes: 8 * 1024 };
const BULK = { slabBytes: 256 * 1024, leastRoomBytes: 64 * 1024 };
const LARGE_READ_BYTES = 8 * 1024;

/**
 * Blocks are cut from a larger allocation, so a small read neither copies nor costs a whole buffer. Starts small, because most
 * commands say little; the first large read asks for room that takes a full pipe at once.
 */
export class ReadSlab {
  #slab = Buffer.alloc(0);
  #used = 0;
  #size = QUIET;

  /** Where the next read goes. */
  room(): Buffer {
    if (this.#slab.length - this.#used < this.#size.leastRoomBytes) {
      this.#slab = Buffer.allocUnsafeSlow(this.#size.slabBytes);
      this.#used = 0;
    }
    return this.#slab.subarray(this.#used);
  }

  /** Gives out the first `length` bytes of the room; they are not reused. */
  take(length: number): Buffer {
    const block = this.#slab.subarray(this.#used, this.#used + length);
    this.#used += length;
    if (length >= LARGE_READ_BYTES) this.#size = BULK;
    return block;
  }
}

// Memory for reads: blocks are cut from a larger allocation, so a small read neither copies nor costs a whole buffer.
// Starts small, because most commands say little; the first large read asks for room that takes a full pipe at once.

const QUIET = { slabBytes: 32 * 1024, leastRoomBytes: 8 * 1024 };
const BULK = { slabBytes: 256 * 1024, leastRoomBytes: 64 * 1024 };
const LARGE_READ_BYTES = 8 * 1024;

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

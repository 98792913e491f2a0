/** Memory for reads: blocks are cut from one large allocation, so a small read neither copies nor costs 64 KiB. */
const SLAB_BYTES = 256 * 1024;
/** Never offer the kernel less than this: one read takes a full pipe. */
const LEAST_ROOM_BYTES = 64 * 1024;

export class ReadSlab {
  #slab = Buffer.alloc(0);
  #used = 0;

  /** Where the next read goes. */
  room(): Buffer {
    if (this.#slab.length - this.#used < LEAST_ROOM_BYTES) {
      this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
      this.#used = 0;
    }
    return this.#slab.subarray(this.#used);
  }

  /** Gives out the first `length` bytes of the room; they are not reused. */
  take(length: number): Buffer {
    const block = this.#slab.subarray(this.#used, this.#used + length);
    this.#used += length;
    return block;
  }
}

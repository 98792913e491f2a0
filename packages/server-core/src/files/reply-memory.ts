// Memory for the bytes of one reply, which is used again for another when the connection has taken them: fresh memory for each
// block of a large file would set off one garbage collection after the other. After a failure it is left to the garbage
// collector, since a read may still be under way.
// It holds what was in it before, possibly of another session: only what was read into it may be shown.
import { SpareMemory } from '@codex/exec-rpc/bytes';

/** Smaller replies are cheap, and would keep a large block busy. */
const LEAST_BYTES = 64 * 1024;

const spare = new SpareMemory();

export class ReplyMemory {
  #borrowed: Uint8Array | undefined;

  /** Undefined: memory of its own does as well. */
  borrow(bytes: number): Uint8Array | undefined {
    if (bytes >= LEAST_BYTES) this.#borrowed = spare.borrow(bytes);
    return this.#borrowed;
  }

  release(): void {
    if (this.#borrowed !== undefined) spare.release(this.#borrowed);
    this.#borrowed = undefined;
  }
}

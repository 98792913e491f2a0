// The first bytes of each stream, kept for snapshots when the log drops them.
import type { OutputBlock, OutputStream } from './output-log.js';

interface Head {
  readonly buffer: Uint8Array;
  length: number;
}

export class StreamHeads {
  readonly #limit: number;
  readonly #heads = new Map<OutputStream, Head>();

  constructor(limitBytes: number) {
    this.#limit = limitBytes;
  }

  /** Blocks of one stream arrive in order and without holes, because the log drops its oldest first. */
  keep(block: OutputBlock): void {
    let head = this.#heads.get(block.stream);
    if (head === undefined) {
      head = { buffer: new Uint8Array(this.#limit), length: 0 };
      this.#heads.set(block.stream, head);
    }
    const kept = block.bytes.subarray(0, this.#limit - head.length);
    head.buffer.set(kept, head.length);
    head.length += kept.length;
  }

  head(stream: OutputStream): Uint8Array {
    const head = this.#heads.get(stream);
    return head === undefined ? new Uint8Array(0) : head.buffer.subarray(0, head.length);
  }
}

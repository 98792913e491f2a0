// Whole records out of whatever blocks a socket gives.
import { EscalationError } from '../escalation-error.js';

/** More than any request can be: a frame has 8 MiB, and a record says the same with little more. */
const MAX_RECORD = 64 * 1024 * 1024;

export class RecordSplitter {
  #blocks: Buffer[] = [];
  #length = 0;

  /** The records that are complete with this block, without their lengths. */
  push(block: Buffer): Buffer[] {
    this.#blocks.push(block);
    this.#length += block.length;
    const records: Buffer[] = [];
    for (let record = this.#next(); record !== undefined; record = this.#next()) records.push(record);
    return records;
  }

  #next(): Buffer | undefined {
    if (this.#length < 4) return undefined;
    const size = this.#joined(4).readUInt32LE(0);
    if (size > MAX_RECORD)
      throw new EscalationError('BAD_RECORD', `a broker announced a record of ${size} bytes`);
    if (this.#length < 4 + size) return undefined;
    const all = this.#joined(this.#length);
    this.#blocks = [all.subarray(4 + size)];
    this.#length -= 4 + size;
    return all.subarray(4, 4 + size);
  }

  /** At least so many bytes in the first block. */
  #joined(length: number): Buffer {
    const [first] = this.#blocks;
    if (first !== undefined && first.length >= length) return first;
    const all = Buffer.concat(this.#blocks);
    this.#blocks = [all];
    return all;
  }
}

// Reads the records that a broker writes. What is too short or too long is an error: the broker is of our own making.
import { EscalationError } from '../escalation-error.js';

export class RecordReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  u32(): number {
    return this.#bytes.readUInt32LE(this.#take(4));
  }

  u64(): bigint {
    return this.#bytes.readBigUInt64LE(this.#take(8));
  }

  string(): string {
    const length = this.u32();
    const start = this.#take(length);
    return this.#bytes.toString('utf8', start, start + length);
  }

  list<T>(read: () => T): T[] {
    return Array.from({ length: this.#count() }, read);
  }

  end(): void {
    if (this.#at !== this.#bytes.length) throw broken('is too long');
  }

  /** Every element takes at least a byte. */
  #count(): number {
    const count = this.u32();
    if (count > this.#bytes.length - this.#at) throw broken('is too short');
    return count;
  }

  #take(length: number): number {
    const start = this.#at;
    if (length > this.#bytes.length - start) throw broken('is too short');
    this.#at += length;
    return start;
  }
}

function broken(what: string): EscalationError {
  return new EscalationError('BAD_RECORD', `a record of the broker ${what}`);
}

/** Appends little-endian numbers and NUL-terminated strings to one growing buffer. */
export class RecordWriter {
  #buffer = Buffer.allocUnsafe(4096);
  #length = 0;

  u32(value: number): void {
    this.#reserve(4);
    this.#length = this.#buffer.writeUInt32LE(value >>> 0, this.#length);
  }

  u64(value: bigint): void {
    this.#reserve(8);
    this.#length = this.#buffer.writeBigUInt64LE(value, this.#length);
  }

  string(text: string): void {
    this.#reserve(text.length * 3 + 1); // the most that UTF-16 grows in UTF-8
    this.#length += this.#buffer.write(text, this.#length);
    this.#length = this.#buffer.writeUInt8(0, this.#length);
  }

  strings(texts: readonly string[]): void {
    this.u32(texts.length);
    for (const text of texts) this.string(text);
  }

  bytes(data: Uint8Array): void {
    this.u32(data.byteLength);
    this.#reserve(data.byteLength);
    this.#buffer.set(data, this.#length);
    this.#length += data.byteLength;
  }

  finish(): Buffer {
    return this.#buffer.subarray(0, this.#length);
  }

  #reserve(more: number): void {
    const needed = this.#length + more;
    if (needed <= this.#buffer.length) return;
    const larger = Buffer.allocUnsafe(Math.max(needed, this.#buffer.length * 2));
    this.#buffer.copy(larger, 0, 0, this.#length);
    this.#buffer = larger;
  }
}

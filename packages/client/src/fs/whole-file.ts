// The blocks of a file in one piece. With a good guess of its size each block is copied to its place as it comes, and what it
// came in is free for the next one.

const NOTHING = new Uint8Array(0);

export class WholeFile {
  #bytes: Uint8Array = NOTHING;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  /** The file will have about this many bytes. */
  expect(bytes: number): void {
    if (bytes > this.#bytes.length) this.#grow(bytes);
  }

  add(block: Uint8Array): void {
    const end = this.#length + block.length;
    if (end > this.#bytes.length) this.#grow(Math.max(end, this.#bytes.length * 2));
    this.#bytes.set(block, this.#length);
    this.#length = end;
  }

  /** Nothing is added afterwards. */
  finish(): Uint8Array {
    if (this.#length < this.#bytes.length) this.#bytes = this.#bytes.slice(0, this.#length);
    return this.#bytes;
  }

  #grow(bytes: number): void {
    const grown = new Uint8Array(bytes);
    grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}

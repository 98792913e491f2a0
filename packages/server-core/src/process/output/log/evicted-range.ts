// Counts what a log has dropped from its front, so that a reader learns exactly how many bytes it cannot have.

export interface OmittedOutput {
  readonly fromSeq: number;
  readonly toSeq: number;
  readonly bytes: number;
}

/** Positions remembered; for readers further behind, the count covers everything that was ever dropped. */
const REMEMBERED_POSITIONS = 32_768;

export class EvictedRange {
  /** Byte offset behind each remembered event; the last one belongs to `#lastSeq`. */
  #ends: number[] = [];
  #lastSeq = 0;

  /** Events are added in sequence; `endOffset` counts all bytes up to the end of this one. */
  add(seq: number, endOffset: number): void {
    this.#lastSeq = seq;
    this.#ends.push(endOffset);
    if (this.#ends.length > REMEMBERED_POSITIONS) this.#ends = this.#ends.slice(REMEMBERED_POSITIONS / 2);
  }

  after(seq: number): OmittedOutput | null {
    if (seq >= this.#lastSeq) return null;
    const total = this.#ends.at(-1) ?? 0;
    const end = seq > 0 ? this.#ends[this.#ends.length - 1 - (this.#lastSeq - seq)] : 0;
    if (end === undefined) return { fromSeq: 1, toSeq: this.#lastSeq, bytes: total };
    return { fromSeq: seq + 1, toSeq: this.#lastSeq, bytes: total - end };
  }
}

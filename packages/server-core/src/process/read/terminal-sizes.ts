// The sizes that a terminal had, by the event from which on it had them. A resize takes no number: clients count on the
// events of a process being output, exit and end, without a gap.

export interface TerminalSize {
  /** The first event behind the resize. */
  readonly seq: number;
  readonly atMs: number;
  readonly rows: number;
  readonly cols: number;
}

interface Numbered {
  readonly ordinal: number;
  readonly size: TerminalSize;
}

/** A window that is dragged sends a hundred; of a client that never stops, the newest count. */
const MAX_SIZES = 512;

export class TerminalSizes {
  #sizes: Numbered[] = [];
  #nextOrdinal = 1;

  get latest(): TerminalSize | undefined {
    return this.#sizes.at(-1)?.size;
  }

  /** The newest so many, in order. */
  last(count: number): TerminalSize[] {
    return this.#sizes.slice(-count).map(({ size }) => size);
  }

  add(size: TerminalSize): void {
    // Several sizes between two events are one to later readers.
    if (this.latest?.seq === size.seq) this.#sizes.pop();
    this.#sizes.push({ ordinal: this.#nextOrdinal++, size });
    if (this.#sizes.length > MAX_SIZES) this.#sizes = this.#sizes.slice(MAX_SIZES / 2);
  }

  /** The size when that event came; of one that is no longer known, the oldest that is. */
  at(seq: number): TerminalSize | undefined {
    return (this.#sizes.findLast(({ size }) => size.seq <= seq) ?? this.#sizes[0])?.size;
  }

  /** Changes behind the event `after`, up to those before the event `end`. */
  between(after: number, end: number): TerminalSize[] {
    return this.#sizes.flatMap(({ size }) => (size.seq > after && size.seq <= end ? [size] : []));
  }

  /** A reader that goes through all of them, beginning with those that are new at that event. */
  cursor(seq: number): SizeCursor {
    let known = this.#sizes.findLast(({ size }) => size.seq <= seq)?.ordinal ?? 0;
    return {
      next: (upToSeq) => {
        const found = this.#sizes.find(({ ordinal, size }) => ordinal > known && size.seq <= upToSeq);
        if (found === undefined) return undefined;
        known = found.ordinal;
        return found.size;
      },
      isDone: () => known >= (this.#sizes.at(-1)?.ordinal ?? 0),
    };
  }
}

export interface SizeCursor {
  /** The next change that stands before this event. */
  next(upToSeq: number): TerminalSize | undefined;
  isDone(): boolean;
}

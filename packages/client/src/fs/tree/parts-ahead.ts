// The parts of a tree on their way from the server: a few are asked for before they are wanted, so that neither end waits for the
// other. A part is twice as long as the one before when that one had to be waited for: many small ones keep two quick ends busy,
// and few long ones are what a long way needs.

import { FIRST_TREE_BYTES, TREE_PAYLOAD_BYTES, type TreeCursor } from '@codex/exec-protocol';

export interface TreePlace {
  readonly after: TreeCursor | null;
  readonly enoughBytes: number;
}

/** One is written, one has come, one is read. */
const PARTS_AHEAD = 2;

export class PartsAhead<Part extends { readonly next: TreeCursor | null }> {
  readonly #ask: (place: TreePlace) => Promise<Part>;
  readonly #parts: Promise<Part>[] = [];
  #enoughBytes = FIRST_TREE_BYTES;
  #isWaiting = false;
  /** Where the next request goes on, once the last answer has come; undefined while it has not. */
  #next: TreeCursor | null | undefined = null;
  #isFirst = true;

  constructor(ask: (place: TreePlace) => Promise<Part>) {
    this.#ask = ask;
  }

  /** Undefined behind the last part. */
  async take(): Promise<Part | undefined> {
    this.#goOn();
    const part = this.#parts.shift();
    if (part === undefined) return undefined;
    this.#goOn();
    this.#isWaiting = true;
    try {
      return await part;
    } finally {
      this.#isWaiting = false;
    }
  }

  #goOn(): void {
    const after = this.#next;
    const isOver = after === null && !this.#isFirst;
    if (after === undefined || isOver || this.#parts.length >= PARTS_AHEAD) return;
    this.#isFirst = false;
    this.#next = undefined;
    const part = this.#ask({ after, enoughBytes: this.#enoughBytes });
    this.#parts.push(part);
    part.then(
      ({ next }) => {
        // It was being waited for, with nothing else to do.
        if (this.#isWaiting && this.#parts.length === 0)
          this.#enoughBytes = Math.min(2 * this.#enoughBytes, TREE_PAYLOAD_BYTES);
        this.#next = next;
        this.#goOn();
      },
      () => undefined, // whoever takes it is told
    );
  }
}

// Output events whose text is decoded lazily and never splits a character.

import type { StreamName } from '../../result.js';
import { type Cursor, cursorAt, type OutputEvent } from './process-event.js';
import { decodeWhole, Utf8Carry, type WholeText } from './utf8-carry.js';

export class TextEvents {
  readonly #carries = { stdout: new Utf8Carry(), stderr: new Utf8Carry(), pty: new Utf8Carry() };

  output(event: {
    readonly seq: number;
    readonly stream: StreamName;
    readonly bytes: Uint8Array;
  }): OutputEvent {
    const carry = this.#carries[event.stream];
    return new LazyOutputEvent(event, carry.next(event.bytes));
  }

  /** What waits for the rest of a character, which will not come where the output is over. */
  unfinished(stream: StreamName): string {
    const { pending } = this.#carries[stream];
    return decodeWhole(pending, { carried: new Uint8Array(0), wholeBytes: pending.length });
  }

  /** After a gap nothing continues what was there before. */
  reset(): void {
    for (const carry of Object.values(this.#carries)) carry.reset();
  }
}

class LazyOutputEvent implements OutputEvent {
  readonly type = 'output';
  readonly seq: number;
  readonly stream: StreamName;
  readonly bytes: Uint8Array;
  readonly #whole: WholeText;

  constructor(event: { seq: number; stream: StreamName; bytes: Uint8Array }, whole: WholeText) {
    this.seq = event.seq;
    this.stream = event.stream;
    this.bytes = event.bytes;
    this.#whole = whole;
  }

  get text(): string {
    return decodeWhole(this.bytes, this.#whole);
  }

  get cursor(): Cursor {
    return cursorAt(this.seq);
  }
}

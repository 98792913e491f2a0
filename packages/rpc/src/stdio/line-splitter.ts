// Splits a byte stream into lines without ever joining the same bytes twice: a long line's pieces are kept in a list
// and joined once, at its end. LF or CRLF ends a line.

import { Buffer } from 'node:buffer';
import { CodedError } from '@codex/exec-protocol';

const LF = 0x0a;
const CR = 0x0d;

export class LineTooLongError extends CodedError<'LINE_TOO_LONG'> {}

export class LineSplitter {
  readonly #maxLineBytes: number;
  readonly #onLine: (line: Buffer) => void;
  readonly #onTooLong: (error: LineTooLongError) => void;
  #pieces: Buffer[] = [];
  #length = 0;
  #isDiscarding = false;

  /** A line that is too long is told as soon as that is known, and the rest of it is discarded. */
  constructor(
    maxLineBytes: number,
    onLine: (line: Buffer) => void,
    onTooLong: (error: LineTooLongError) => void,
  ) {
    this.#maxLineBytes = maxLineBytes;
    this.#onLine = onLine;
    this.#onTooLong = onTooLong;
  }

  /** Nothing of a line has come that is not finished. */
  get isBetweenLines(): boolean {
    return this.#length === 0 && !this.#isDiscarding;
  }

  push(chunk: Buffer): void {
    for (let start = 0; start < chunk.length; ) start += this.pushLine(chunk.subarray(start));
  }

  /** Takes up to the end of one line, and returns how many bytes that were. */
  pushLine(chunk: Buffer): number {
    const end = chunk.indexOf(LF);
    this.#keep(end === -1 ? chunk : chunk.subarray(0, end));
    if (end === -1) return chunk.length;
    this.#finishLine();
    return end + 1;
  }

  /** A last line without an ending still counts. */
  end(): void {
    if (this.#length > 0) this.#finishLine();
    this.#isDiscarding = false;
  }

  #keep(piece: Buffer): void {
    if (piece.length === 0 || this.#isDiscarding) return;
    this.#pieces.push(piece);
    this.#length += piece.length;
    // One byte more is allowed when it may be the CR of a CRLF.
    const spare = piece.at(-1) === CR ? 1 : 0;
    if (this.#length - spare <= this.#maxLineBytes) return;
    this.#pieces = [];
    this.#length = 0;
    this.#isDiscarding = true;
    this.#onTooLong(new LineTooLongError('LINE_TOO_LONG', `line longer than ${this.#maxLineBytes} bytes`));
  }

  #finishLine(): void {
    if (this.#isDiscarding) {
      this.#isDiscarding = false;
      return;
    }
    const [first] = this.#pieces;
    const whole =
      this.#pieces.length === 1 && first !== undefined ? first : Buffer.concat(this.#pieces, this.#length);
    this.#pieces = [];
    this.#length = 0;
    this.#onLine(whole.at(-1) === CR ? whole.subarray(0, -1) : whole);
  }
}

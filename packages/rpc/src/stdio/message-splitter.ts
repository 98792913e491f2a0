// Splits a byte stream into messages: lines, and, once they are accepted, binary messages, which begin with a byte that
// no line of JSON begins with and say in their header how long they are. A binary message that is too long is told and
// skipped, as a line is.

import { Buffer } from 'node:buffer';
import { BINARY_HEADER_BYTES, BINARY_KIND, readBinaryHeader } from '@codex/exec-protocol';
import { LineSplitter } from './line-splitter.js';

export interface SplitMessages {
  line(line: Buffer): void;
  /** The bytes belong to the receiver. */
  binary(message: Buffer): void;
  tooLong(reason: string): void;
}

/** A header that announces much and brings little costs this much. */
const FIRST_BYTES = 1024 * 1024;

export class MessageSplitter {
  readonly #maxBytes: number;
  readonly #found: SplitMessages;
  readonly #lines: LineSplitter;
  #acceptsBinary = false;
  /** Of the binary message that is being received. */
  #message: Buffer | undefined;
  #filled = 0;
  #wanted = 0;
  #skipped = 0;

  constructor(maxBytes: number, found: SplitMessages) {
    this.#maxBytes = maxBytes;
    this.#found = found;
    this.#lines = new LineSplitter(
      maxBytes,
      (line) => found.line(line),
      (error) => found.tooLong(error.message),
    );
  }

  acceptBinary(): void {
    this.#acceptsBinary = true;
  }

  push(chunk: Buffer): void {
    for (let rest = chunk; rest.length > 0; ) {
      const taken = this.#take(rest);
      rest = rest.subarray(taken);
    }
  }

  /** A last line without an ending still counts; a binary message that is not whole does not. */
  end(): void {
    this.#message = undefined;
    this.#lines.end();
  }

  /** Takes one line, or as much as there is of one message. */
  #take(chunk: Buffer): number {
    if (this.#skipped > 0) {
      const skipped = Math.min(this.#skipped, chunk.length);
      this.#skipped -= skipped;
      return skipped;
    }
    if (this.#message !== undefined) return this.#fill(this.#message, chunk);
    if (this.#acceptsBinary && this.#lines.isBetweenLines && chunk[0] === BINARY_KIND) {
      this.#message = Buffer.allocUnsafe(BINARY_HEADER_BYTES);
      this.#filled = 0;
      this.#wanted = BINARY_HEADER_BYTES;
      return this.#fill(this.#message, chunk);
    }
    return this.#lines.pushLine(chunk);
  }

  #fill(message: Buffer, chunk: Buffer): number {
    const taken = Math.min(chunk.length, this.#wanted - this.#filled, message.length - this.#filled);
    chunk.copy(message, this.#filled, 0, taken);
    this.#filled += taken;
    if (this.#filled === this.#wanted) this.#reached(message);
    else if (this.#filled === message.length) this.#grow(message);
    return taken;
  }

  #reached(message: Buffer): void {
    if (this.#wanted > BINARY_HEADER_BYTES) {
      this.#message = undefined;
      this.#found.binary(message);
      return;
    }
    const { textBytes, payloadBytes } = readBinaryHeader(message);
    this.#wanted += textBytes + payloadBytes;
    if (this.#wanted > this.#maxBytes) {
      this.#message = undefined;
      this.#skipped = this.#wanted - BINARY_HEADER_BYTES;
      this.#found.tooLong(`binary message longer than ${this.#maxBytes} bytes`);
    } else if (this.#wanted === BINARY_HEADER_BYTES) {
      this.#message = undefined;
      this.#found.binary(message);
    } else this.#grow(message);
  }

  #grow(message: Buffer): void {
    const length = Math.min(this.#wanted, Math.max(FIRST_BYTES, message.length * 16));
    const grown = Buffer.allocUnsafeSlow(length);
    message.copy(grown, 0, 0, this.#filled);
    this.#message = grown;
  }
}

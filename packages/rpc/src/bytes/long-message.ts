// A message that does not fit one write buffer. It is encoded piece by piece as the socket takes it, so that its beginning
// is on its way while the rest is not encoded yet, and its payload never stands in memory a second time as base64.

import { Buffer } from 'node:buffer';
import type { WireMessage, WireSegments } from '@codex/exec-protocol';
import { BASE64_PIECE_BYTES, base64Piece } from './wire-bytes.js';

/** Encoded, and not yet written. Text is ASCII. */
type Piece = string | Buffer;

const NOTHING: Piece = '';

export class LongMessage {
  readonly #segments: WireSegments;
  #segment = 0;
  /** Bytes of the current segment that are encoded. */
  #encoded = 0;
  #piece = NOTHING;
  #remainingBytes: number;
  #hasBegun = false;

  constructor(message: WireMessage, byteLength: number) {
    this.#segments = typeof message === 'string' ? [message] : message;
    this.#remainingBytes = byteLength;
  }

  get remainingBytes(): number {
    return this.#remainingBytes;
  }

  /** Something of it has been written. */
  get hasBegun(): boolean {
    return this.#hasBegun;
  }

  /** Fills the target, which must not be longer than what remains. */
  fill(target: Buffer): void {
    this.#hasBegun = true;
    this.#remainingBytes -= target.length;
    for (let position = 0; position < target.length; ) {
      if (this.#piece.length === 0) this.#piece = this.#nextPiece();
      position += this.#writePiece(target, position);
    }
  }

  #writePiece(target: Buffer, position: number): number {
    const piece = this.#piece;
    const room = target.length - position;
    if (typeof piece === 'string') {
      this.#piece = piece.slice(room);
      return target.write(piece, position, 'latin1');
    }
    this.#piece = piece.subarray(room);
    return piece.copy(target, position);
  }

  #nextPiece(): Piece {
    const segment = this.#segments[this.#segment] ?? '';
    if (typeof segment === 'string') {
      this.#segment++;
      return Buffer.from(segment, 'utf8');
    }
    const start = this.#encoded;
    this.#encoded += BASE64_PIECE_BYTES;
    if (this.#encoded >= segment.length) {
      this.#segment++;
      this.#encoded = 0;
    }
    return base64Piece(Buffer.from(segment.buffer, segment.byteOffset, segment.length), start);
  }
}

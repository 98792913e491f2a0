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
  readonly #isRaw: boolean;
  #segment = 0;
  /** Bytes of the current segment that are encoded. */
  #encoded = 0;
  #piece = NOTHING;
  #remainingBytes: number;
  #hasBegun = false;

  /** Raw payloads are sent as they are. */
  constructor(message: WireMessage, byteLength: number, payloads: 'base64' | 'raw' = 'base64') {
    this.#isRaw = payloads === 'raw';
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

  /** The next bytes where they are, of a message whose payloads are raw. */
  views(length: number): Buffer[] {
    this.#hasBegun = true;
    this.#remainingBytes -= length;
    const views: Buffer[] = [];
    for (let missing = length; missing > 0; ) {
      if (this.#piece.length === 0) this.#piece = this.#nextPiece();
      const piece = typeof this.#piece === 'string' ? Buffer.from(this.#piece, 'latin1') : this.#piece;
      const view = piece.subarray(0, missing);
      this.#piece = piece.subarray(view.length);
      missing -= view.length;
      views.push(view);
    }
    return views;
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
    if (this.#isRaw) {
      this.#segment++;
      return bufferOf(segment);
    }
    const start = this.#encoded;
    this.#encoded += BASE64_PIECE_BYTES;
    if (this.#encoded >= segment.length) {
      this.#segment++;
      this.#encoded = 0;
    }
    return base64Piece(bufferOf(segment), start);
  }
}

function bufferOf({ buffer, byteOffset, length }: Uint8Array): Buffer {
  return Buffer.from(buffer, byteOffset, length);
}

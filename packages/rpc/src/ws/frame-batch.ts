// Writes websocket text frames. The small messages of one turn share a buffer and so one write; a large one has its
// own. A message above the fragment size goes out as several frames in a row, with no other message between them.

import { Buffer } from 'node:buffer';
import type { Writable } from 'node:stream';
import type { WireMessage } from '@codex/exec-protocol';
import { wireByteLength, wireBytes, writeWire } from '../bytes/wire-bytes.js';
import { freshMask, maskInPlace } from './frame-mask.js';

const BATCH_BYTES = 64 * 1024;
const SMALL_MESSAGE = 16 * 1024;
const MAX_HEADER = 14;
const FIN = 0x80;
const TEXT = 0x01;
const CONTINUATION = 0x00;
const MASKED = 0x80;

export interface FrameBatchOptions {
  readonly socket: Writable;
  /** True on the client's side. */
  readonly masked: boolean;
  readonly fragmentBytes: number;
  /** The socket has taken a write. */
  taken(): void;
}

export class FrameBatch {
  readonly #options: FrameBatchOptions;
  #chunk: Buffer | undefined;
  #used = 0;

  constructor(options: FrameBatchOptions) {
    this.#options = options;
  }

  /** Bytes that `flush` has not handed to the socket. */
  get pendingBytes(): number {
    return this.#used;
  }

  add(message: WireMessage): void {
    const length = wireByteLength(message);
    if (length > this.#options.fragmentBytes) this.#addFragments(message, length);
    else if (length > SMALL_MESSAGE) this.#addLarge(message, length);
    else this.#addSmall(message, length);
  }

  flush(): void {
    if (this.#chunk === undefined) return;
    const chunk = this.#chunk.subarray(0, this.#used);
    this.#chunk = undefined;
    this.#used = 0;
    this.#write(chunk);
  }

  #addSmall(message: WireMessage, length: number): void {
    if (this.#used + length + MAX_HEADER > BATCH_BYTES) this.flush();
    // A turn mostly has one message: it gets a buffer of its size, and only a second one opens a full batch.
    if (this.#chunk === undefined) {
      this.#chunk = Buffer.allocUnsafe(length + MAX_HEADER);
    } else if (this.#used + length + MAX_HEADER > this.#chunk.length) {
      const grown = Buffer.allocUnsafe(BATCH_BYTES);
      this.#chunk.copy(grown, 0, 0, this.#used);
      this.#chunk = grown;
    }
    this.#used = this.#writeFrame(this.#chunk, this.#used, { message, length });
  }

  #addLarge(message: WireMessage, length: number): void {
    this.flush();
    const frame = Buffer.allocUnsafe(length + MAX_HEADER);
    this.#write(frame.subarray(0, this.#writeFrame(frame, 0, { message, length })));
  }

  #writeFrame(
    target: Buffer,
    offset: number,
    { message, length }: { message: WireMessage; length: number },
  ): number {
    const start = this.#writeHeader(target, offset, { opcode: FIN | TEXT, length });
    const end = writeWire(message, target, start);
    if (this.#options.masked) maskInPlace(target.subarray(0, end), start, target.subarray(start - 4, start));
    return end;
  }

  #addFragments(message: WireMessage, length: number): void {
    this.flush();
    const { fragmentBytes, masked } = this.#options;
    const payload = wireBytes(message);
    for (let start = 0; start < length; start += fragmentBytes) {
      const piece = payload.subarray(start, start + fragmentBytes);
      const last = start + fragmentBytes >= length;
      const header = Buffer.allocUnsafe(MAX_HEADER);
      const opcode = (start === 0 ? TEXT : CONTINUATION) | (last ? FIN : 0);
      const headerEnd = this.#writeHeader(header, 0, { opcode, length: piece.length });
      if (masked) maskInPlace(piece, 0, header.subarray(headerEnd - 4, headerEnd));
      this.#write(header.subarray(0, headerEnd));
      this.#write(piece);
    }
  }

  #write(bytes: Buffer): void {
    this.#options.socket.write(bytes, this.#options.taken);
  }

  /** Returns where the payload begins; a mask stands in the four bytes before it. */
  #writeHeader(
    target: Buffer,
    offset: number,
    { opcode, length }: { opcode: number; length: number },
  ): number {
    const maskBit = this.#options.masked ? MASKED : 0;
    let position = offset + 2;
    target[offset] = opcode;
    if (length < 126) {
      target[offset + 1] = maskBit | length;
    } else if (length < 65536) {
      target[offset + 1] = maskBit | 126;
      position = target.writeUInt16BE(length, position);
    } else {
      target[offset + 1] = maskBit | 127;
      position = target.writeUInt32BE(Math.floor(length / 2 ** 32), position);
      position = target.writeUInt32BE(length >>> 0, position);
    }
    if (maskBit !== 0) position += freshMask().copy(target, position);
    return position;
  }
}

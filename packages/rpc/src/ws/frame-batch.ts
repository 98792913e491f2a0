// Writes websocket text frames. The messages of one turn share buffers and so few writes. A message above the fragment
// size goes out as several frames in a row, with no other message between them.

import { Buffer } from 'node:buffer';
import type { Writable } from 'node:stream';
import type { WireMessage } from '@codex/exec-protocol';
import { wireByteLength, wireBytes, writeWire } from '../bytes/wire-bytes.js';
import { freshMask, maskInPlace } from './frame-mask.js';
import { acquireSlab, releaseSlab, SLAB_BYTES } from './slab-pool.js';

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
  #isSlab = false;
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
    if (length > this.#options.fragmentBytes) {
      this.#addFragments(message, length);
      return;
    }
    const chunk = this.#room(length + MAX_HEADER);
    this.#used = this.#writeFrame(chunk, this.#used, { message, length });
  }

  flush(): void {
    const chunk = this.#chunk;
    if (chunk === undefined) return;
    this.#write(chunk.subarray(0, this.#used), this.#isSlab ? chunk : undefined);
    this.#chunk = undefined;
    this.#used = 0;
  }

  // A turn mostly has one small message: it gets a buffer of its size. A second one, or a large one, opens a slab.
  #room(bytes: number): Buffer {
    const chunk = this.#chunk;
    if (chunk !== undefined && this.#used + bytes <= chunk.length) return chunk;
    const previous = chunk !== undefined && !this.#isSlab ? chunk.subarray(0, this.#used) : undefined;
    if (previous === undefined || previous.length + bytes > SLAB_BYTES) this.flush();
    if (bytes > SLAB_BYTES || (this.#chunk === undefined && bytes <= SMALL_MESSAGE)) {
      this.#isSlab = false;
      this.#chunk = Buffer.allocUnsafe(bytes);
    } else {
      this.#isSlab = true;
      this.#chunk = acquireSlab();
      if (this.#used > 0) previous?.copy(this.#chunk);
    }
    return this.#chunk;
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

  #write(bytes: Buffer, slab?: Buffer): void {
    const { socket, taken } = this.#options;
    socket.write(bytes, (error) => {
      // A failed write may still be read by the system; its slab is left to the garbage collector.
      if (slab !== undefined && !error) releaseSlab(slab);
      taken();
    });
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

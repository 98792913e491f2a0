// Writes websocket text frames. The messages of one turn share buffers and so few writes. A message that does not fit one
// buffer goes out as several frames, each written when the socket has room for it; the messages behind it wait. Every
// write is of whole frames, so that control frames, which `ws` writes by itself, may stand between any two.

import { Buffer } from 'node:buffer';
import type { Writable } from 'node:stream';
import { materialize, type WireMessage } from '@codex/exec-protocol';
import { LongMessage } from '../../bytes/long-message.js';
import { wireByteLength, writeWire } from '../../bytes/wire-bytes.js';
import { type FrameHeader, MAX_HEADER_BYTES, writeFrameHeader } from './frame-header.js';
import { maskInPlace } from './frame-mask.js';
import { acquireSlab, releaseSlab, SLAB_BYTES } from './slab-pool.js';

const SMALL_MESSAGE = 16 * 1024;
/** The largest frame. Clients refuse frames above 16 MiB, and take longer messages in several. */
export const MAX_PAYLOAD_BYTES = SLAB_BYTES - MAX_HEADER_BYTES;
/** Frames of a long message are made while the socket holds fewer bytes than this. */
const LONG_MESSAGE_MARK_BYTES = 2 * SLAB_BYTES;

export interface FrameBatchOptions {
  readonly socket: Writable;
  /** True on the client's side. */
  readonly masked: boolean;
  /** That much was handed to the socket. */
  handedOver?(bytes: number): void;
  /** The socket has taken a write. */
  taken(): void;
}

interface WaitingMessage {
  readonly message: WireMessage;
  readonly length: number;
}

export class FrameBatch {
  readonly #options: FrameBatchOptions;
  #chunk: Buffer | undefined;
  #isSlab = false;
  #used = 0;
  #long: LongMessage | undefined;
  #behindLong: WaitingMessage[] = [];
  #behindLongBytes = 0;

  constructor(options: FrameBatchOptions) {
    this.#options = options;
  }

  /** Bytes that were added and not handed to the socket. */
  get pendingBytes(): number {
    return this.#used + (this.#long?.remainingBytes ?? 0) + this.#behindLongBytes;
  }

  /** The same with the headers of frames that are not made yet. */
  get pendingBytesAtMost(): number {
    const long = this.#long;
    if (long === undefined) return this.#used;
    const frames = Math.ceil(long.remainingBytes / MAX_PAYLOAD_BYTES) + this.#behindLong.length;
    return this.pendingBytes + frames * MAX_HEADER_BYTES;
  }

  add(message: WireMessage): void {
    this.#add({ message, length: wireByteLength(message) });
  }

  /** Hands the messages of this turn to the socket; a long one goes on by itself. */
  flush(): void {
    const chunk = this.#chunk;
    if (chunk === undefined) return;
    this.#chunk = undefined;
    this.#write(chunk.subarray(0, this.#used), this.#isSlab ? chunk : undefined);
    this.#used = 0;
  }

  /** Hands everything to the socket, however much it holds: nothing is added any more. */
  finish(): void {
    this.#continueLong(Number.POSITIVE_INFINITY);
    this.flush();
  }

  /** Sends nothing more of a long message and of what waits behind it. */
  discard(): void {
    this.#dropLong();
  }

  #add(waiting: WaitingMessage): void {
    const { message, length } = waiting;
    if (this.#long !== undefined) {
      // A message that fits a buffer is copied: its bytes belong to the caller again once `send` has returned.
      const kept = length > MAX_PAYLOAD_BYTES ? message : materialize(message);
      this.#behindLong.push({ message: kept, length });
      this.#behindLongBytes += length;
    } else if (length > MAX_PAYLOAD_BYTES) {
      this.flush();
      this.#long = new LongMessage(message, length);
      this.#continueLong(LONG_MESSAGE_MARK_BYTES);
    } else {
      const chunk = this.#room(length + MAX_HEADER_BYTES);
      const header = this.#header(length, { isFirst: true, isLast: true });
      const start = writeFrameHeader(chunk, this.#used, header);
      this.#used = writeWire(message, chunk, start);
      this.#mask(chunk, start, this.#used);
    }
  }

  // A turn mostly has one small message: it gets a buffer of its size. A second one, or a large one, opens a slab.
  #room(bytes: number): Buffer {
    const chunk = this.#chunk;
    if (chunk !== undefined && this.#used + bytes <= chunk.length) return chunk;
    const previous = chunk !== undefined && !this.#isSlab ? chunk.subarray(0, this.#used) : undefined;
    if (previous === undefined || previous.length + bytes > SLAB_BYTES) this.flush();
    if (this.#chunk === undefined && bytes <= SMALL_MESSAGE) {
      this.#isSlab = false;
      this.#chunk = Buffer.allocUnsafe(bytes);
    } else {
      this.#isSlab = true;
      this.#chunk = acquireSlab();
      if (this.#used > 0) previous?.copy(this.#chunk);
    }
    return this.#chunk;
  }

  #continueLong(markBytes: number): void {
    if (!this.#options.socket.writable) this.#dropLong();
    while (this.#long !== undefined && this.#options.socket.writableLength < markBytes) {
      this.#writeFrameOf(this.#long);
      if (this.#long.remainingBytes === 0) this.#endLong();
    }
  }

  #writeFrameOf(long: LongMessage): void {
    const length = Math.min(long.remainingBytes, MAX_PAYLOAD_BYTES);
    const isLast = length === long.remainingBytes;
    const slab = acquireSlab();
    const start = writeFrameHeader(slab, 0, this.#header(length, { isFirst: !long.hasBegun, isLast }));
    long.fill(slab.subarray(start, start + length));
    this.#mask(slab, start, start + length);
    this.#write(slab.subarray(0, start + length), slab);
  }

  #endLong(): void {
    const behind = this.#behindLong;
    this.#dropLong();
    for (const waiting of behind) this.#add(waiting);
    // The turn that added them is over.
    this.flush();
  }

  #dropLong(): void {
    this.#long = undefined;
    this.#behindLong = [];
    this.#behindLongBytes = 0;
  }

  #header(payloadBytes: number, place: Pick<FrameHeader, 'isFirst' | 'isLast'>): FrameHeader {
    return { payloadBytes, masked: this.#options.masked, ...place };
  }

  #mask(target: Buffer, start: number, end: number): void {
    if (!this.#options.masked) return;
    maskInPlace(target.subarray(0, end), start, target.subarray(start - 4, start));
  }

  #write(bytes: Buffer, slab?: Buffer): void {
    const { socket, taken, handedOver } = this.#options;
    const { length } = bytes;
    socket.write(bytes, (error) => {
      // A failed write may still be read by the system; its slab is left to the garbage collector.
      if (slab !== undefined && !error) releaseSlab(slab);
      if (!error) this.#continueLong(LONG_MESSAGE_MARK_BYTES);
      taken();
    });
    handedOver?.(length);
  }
}

// Writes websocket messages. Those of one turn share buffers and so few writes. A message that does not fit one buffer goes
// out in frames of its own, each written when the socket has room for it; the messages behind it wait. Every write is of
// whole frames, so that control frames, which `ws` writes by itself, may stand between any two.

import { Buffer } from 'node:buffer';
import type { Writable } from 'node:stream';
import type { WireMessage } from '@codex/exec-protocol';
import type { LongMessage } from '../../bytes/long-message.js';
import { encodedMessage, type OutgoingMessage, outgoingMessage } from '../../bytes/outgoing-message.js';
import { sendMemory } from '../../bytes/spare-memory.js';
import { type FrameHeader, MAX_HEADER_BYTES, type Masking, writeFrameHeader } from './frame-header.js';
import { maskInPlace } from './frame-mask.js';
import { acquireSlab, releaseSlab, SLAB_BYTES } from './slab-pool.js';

const SMALL_MESSAGE = 16 * 1024;
/** The largest frame. Clients refuse frames above 16 MiB, and take longer messages in several. */
export const MAX_PAYLOAD_BYTES = SLAB_BYTES - MAX_HEADER_BYTES;
/**
 * The largest binary frame. Raw payloads need no buffer, or one of their own size, and who receives a frame in one piece does
 * not have to join it.
 */
const MAX_BINARY_PAYLOAD_BYTES = 4 * 1024 * 1024;
/** Frames of a long message are made while the socket holds fewer bytes than this. */
const LONG_MESSAGE_MARK_BYTES = 2 * SLAB_BYTES;

export interface FrameBatchOptions {
  readonly socket: Writable;
  /** Of text frames. */
  readonly masking: Masking;
  /** Of binary ones, where it is another. */
  readonly binaryMasking?: Masking;
  /** That much was handed to the socket, whole frames: others may write to it now. */
  handedOver?(bytes: number): void;
  /** The socket has taken a write. */
  taken(): void;
}

interface Added {
  readonly message: OutgoingMessage;
  readonly onTaken: (() => void) | undefined;
}

export class FrameBatch {
  readonly #options: FrameBatchOptions;
  #chunk: Buffer | undefined;
  #isSlab = false;
  #used = 0;
  #long: LongMessage | undefined;
  #isLongBinary = false;
  #isBinary = false;
  #onLongTaken: (() => void) | undefined;
  #behindLong: Added[] = [];
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
    const frames = Math.ceil(long.remainingBytes / this.#mostBytesOfLong) + this.#behindLong.length;
    return this.pendingBytes + frames * MAX_HEADER_BYTES;
  }

  /** Messages with payloads are sent in binary form from here on. */
  useBinary(): void {
    this.#isBinary = true;
  }

  /** `onTaken` is called when the bytes of the message are not looked at any more, unless the connection fails. */
  add(message: WireMessage, onTaken?: () => void): void {
    this.#add({ message: outgoingMessage(message, this.#isBinary), onTaken });
  }

  /** A message that is encoded already. */
  addEncoded(bytes: Uint8Array, isBinary: boolean): void {
    this.#add({ message: encodedMessage(bytes, isBinary), onTaken: undefined });
  }

  /** Hands the messages of this turn to the socket; a long one goes on by itself. */
  flush(): void {
    const chunk = this.#chunk;
    if (chunk === undefined) return;
    this.#chunk = undefined;
    this.#write(chunk.subarray(0, this.#used), this.#isSlab ? () => releaseSlab(chunk) : undefined);
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

  #add(added: Added): void {
    const { message, onTaken } = added;
    const { length, isBinary } = message;
    if (this.#long !== undefined) {
      this.#behindLong.push(length > MAX_PAYLOAD_BYTES ? added : copied(added));
      this.#behindLongBytes += length;
    } else if (length > MAX_PAYLOAD_BYTES) {
      this.flush();
      this.#long = message.long();
      this.#isLongBinary = isBinary;
      this.#onLongTaken = onTaken;
      this.#continueLong(LONG_MESSAGE_MARK_BYTES);
    } else {
      const chunk = this.#room(length + MAX_HEADER_BYTES);
      const header = this.#header(length, { isBinary, isFirst: true, isLast: true });
      const start = writeFrameHeader(chunk, this.#used, header);
      this.#used = message.write(chunk, start);
      this.#mask(chunk, start, { end: this.#used, isBinary });
      onTaken?.();
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
    const length = Math.min(long.remainingBytes, this.#mostBytesOfLong);
    const isLast = length === long.remainingBytes;
    const isBinary = this.#isLongBinary;
    const header = this.#header(length, { isBinary, isFirst: !long.hasBegun, isLast });
    if (isBinary && header.masking !== 'random') {
      this.#writeViews(header, long.views(length), isLast ? this.#onLongTaken : undefined);
      return;
    }
    const slab = isBinary ? sendMemory.borrow(length + MAX_HEADER_BYTES) : acquireSlab();
    const release = isBinary ? () => sendMemory.release(slab) : () => releaseSlab(slab);
    const start = writeFrameHeader(slab, 0, header);
    long.fill(slab.subarray(start, start + length));
    this.#mask(slab, start, { end: start + length, isBinary });
    this.#write(slab.subarray(0, start + length), release);
    if (isLast) this.#onLongTaken?.();
  }

  /** One frame of bytes that stay where they are. */
  #writeViews(header: FrameHeader, views: readonly Buffer[], onTaken: (() => void) | undefined): void {
    const head = Buffer.allocUnsafe(MAX_HEADER_BYTES);
    const { socket } = this.#options;
    const parts = [head.subarray(0, writeFrameHeader(head, 0, header)), ...views];
    socket.cork();
    for (const part of parts) this.#handToSocket(part, part === parts.at(-1) ? onTaken : undefined);
    this.#options.handedOver?.(parts.reduce((sum, { length }) => sum + length, 0));
    socket.uncork();
  }

  get #mostBytesOfLong(): number {
    return this.#isLongBinary ? MAX_BINARY_PAYLOAD_BYTES : MAX_PAYLOAD_BYTES;
  }

  #endLong(): void {
    const behind = this.#behindLong;
    this.#dropLong();
    for (const added of behind) this.#add(added);
    // The turn that added them is over.
    this.flush();
  }

  #dropLong(): void {
    this.#long = undefined;
    this.#onLongTaken = undefined;
    this.#behindLong = [];
    this.#behindLongBytes = 0;
  }

  #header(payloadBytes: number, frame: Pick<FrameHeader, 'isBinary' | 'isFirst' | 'isLast'>): FrameHeader {
    return { payloadBytes, masking: this.#maskingOf(frame.isBinary), ...frame };
  }

  #maskingOf(isBinary: boolean): Masking {
    const { masking, binaryMasking = masking } = this.#options;
    return isBinary ? binaryMasking : masking;
  }

  #mask(
    target: Buffer,
    start: number,
    { end, isBinary }: { readonly end: number; readonly isBinary: boolean },
  ): void {
    if (this.#maskingOf(isBinary) !== 'random') return;
    maskInPlace(target.subarray(0, end), start, target.subarray(start - 4, start));
  }

  #write(bytes: Buffer, release?: () => void): void {
    const { length } = bytes;
    const { socket } = this.#options;
    // What others write because of it, a ping, goes out with it.
    const isCorked = length > SMALL_MESSAGE;
    if (isCorked) socket.cork();
    this.#handToSocket(bytes, release);
    this.#options.handedOver?.(length);
    if (isCorked) socket.uncork();
  }

  #handToSocket(bytes: Buffer, release?: () => void): void {
    const { socket, taken } = this.#options;
    socket.write(bytes, (error) => {
      // A failed write may still be read by the system; its slab is left to the garbage collector.
      if (!error) release?.();
      if (!error) this.#continueLong(LONG_MESSAGE_MARK_BYTES);
      taken();
    });
  }
}

/** A message that fits a buffer is copied: its bytes belong to the caller again once `send` has returned. */
function copied({ message, onTaken }: Added): Added {
  const copy = { message: message.copy(), onTaken: undefined };
  onTaken?.();
  return copy;
}

// What a channel still has to send: whole messages, each behind its length, as one byte stream that is cut anywhere. The
// small messages of a turn share a frame. A longer one is encoded straight into its frames as it is cut; what is not sent by
// the time its bytes go back to their owner is copied then.

import { Buffer } from 'node:buffer';
import type { LongMessage, OutgoingMessage } from '@codex/exec-rpc/bytes';
import { HEADER_BYTES } from './frame.js';
import { LENGTH_BYTES, writeLength } from './message-length.js';

/** A longer message belongs to the channel. */
const COPIED_BYTES = 512 * 1024;
/** Up to here a message is encoded at once. */
export const SMALL_BYTES: number = 8 * 1024;
const NOTHING: Buffer = Buffer.alloc(0);
/** So many empty places are closed up at once. */
const MOST_DROPPED = 256;

type Piece = Buffer | LongMessage;

export class OutboundStream {
  #pieces: Piece[] = [];
  #first = 0;
  /** The last piece, where its bytes are the caller's. */
  #borrowed: LongMessage | undefined;
  #waitingBytes = 0;
  #addedBytes = 0;

  /** Bytes that were added and not taken. */
  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  /** Bytes that were ever added. */
  get addedBytes(): number {
    return this.#addedBytes;
  }

  /** `keep` has to follow before the caller has its bytes back. */
  add(message: OutgoingMessage): void {
    const { length } = message;
    const isSmall = length <= SMALL_BYTES;
    const piece = Buffer.allocUnsafe(LENGTH_BYTES + (isSmall ? length : 0));
    writeLength(piece, 0, message);
    this.#pieces.push(piece);
    if (isSmall) message.write(piece, LENGTH_BYTES);
    else {
      const long = message.long();
      this.#pieces.push(long);
      if (length <= COPIED_BYTES) this.#borrowed = long;
    }
    this.#waitingBytes += LENGTH_BYTES + length;
    this.#addedBytes += LENGTH_BYTES + length;
  }

  /** Copies what is left of the message that was added last. */
  keep(): void {
    const long = this.#borrowed;
    this.#borrowed = undefined;
    if (long === undefined || long.remainingBytes === 0 || this.#pieces.at(-1) !== long) return;
    const bytes = Buffer.allocUnsafe(long.remainingBytes);
    long.fill(bytes);
    this.#pieces[this.#pieces.length - 1] = bytes;
  }

  /** The next frame, with up to so many bytes behind the room for its header. */
  takeFrame(most: number): Buffer {
    const frame = Buffer.allocUnsafe(HEADER_BYTES + Math.min(most, this.#waitingBytes));
    this.#waitingBytes -= frame.length - HEADER_BYTES;
    for (let position = HEADER_BYTES; position < frame.length; ) position += this.#take(frame, position);
    return frame;
  }

  clear(): void {
    this.#pieces = [];
    this.#first = 0;
    this.#borrowed = undefined;
    this.#waitingBytes = 0;
  }

  /** How many bytes of the first piece went into the frame. */
  #take(frame: Buffer, position: number): number {
    const piece = this.#pieces[this.#first] ?? NOTHING;
    const isLong = !Buffer.isBuffer(piece);
    const length = isLong ? piece.remainingBytes : piece.length;
    const taken = Math.min(length, frame.length - position);
    if (isLong) piece.fill(frame.subarray(position, position + taken));
    else piece.copy(frame, position, 0, taken);
    if (taken === length) this.#drop();
    else if (!isLong) this.#pieces[this.#first] = piece.subarray(taken);
    return taken;
  }

  /** A stream that always has something waiting must not keep what was sent. */
  #drop(): void {
    this.#pieces[this.#first++] = NOTHING;
    if (this.#first < this.#pieces.length && this.#first < MOST_DROPPED) return;
    this.#pieces.splice(0, this.#first);
    this.#first = 0;
  }
}

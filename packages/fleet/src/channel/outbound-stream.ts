// What a channel still has to send: whole messages, each behind its length, as one byte stream that is cut anywhere. The
// small messages of a turn share a frame; a long one is encoded as it is cut, so its payload is never in memory twice.

import { Buffer } from 'node:buffer';
import type { LongMessage, OutgoingMessage } from '@codex/exec-rpc/bytes';
import { HEADER_BYTES } from './frame.js';
import { LENGTH_BYTES, writeLength } from './message-length.js';

/** A longer message belongs to the channel; up to here it is copied when it is sent. */
const COPIED_BYTES = 512 * 1024;
/** From here on a message is a frame of its own, and is not copied into one that it would share. */
const OWN_FRAME_BYTES = 16 * 1024;

/** Bytes with room for the header of a frame in front of them, of which nothing was taken; or what is left of others. */
type Piece =
  | { readonly kind: 'framed'; readonly frame: Buffer }
  | { readonly kind: 'bytes'; readonly bytes: Buffer }
  | { readonly kind: 'long'; readonly long: LongMessage };

export class OutboundStream {
  #pieces: Piece[] = [];
  #first = 0;
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

  add(message: OutgoingMessage): void {
    const { length } = message;
    const isLong = length > COPIED_BYTES;
    const frame = Buffer.allocUnsafe(HEADER_BYTES + LENGTH_BYTES + (isLong ? 0 : length));
    writeLength(frame, HEADER_BYTES, message);
    if (!isLong) message.write(frame, HEADER_BYTES + LENGTH_BYTES);
    this.#pieces.push({ kind: 'framed', frame });
    if (isLong) this.#pieces.push({ kind: 'long', long: message.long() });
    this.#waitingBytes += LENGTH_BYTES + length;
    this.#addedBytes += LENGTH_BYTES + length;
  }

  /** The next frame, with up to so many bytes behind the room for its header. Something must wait. */
  takeFrame(most: number): Buffer {
    const piece = this.#pieces[this.#first];
    const whole = piece?.kind === 'framed' ? piece.frame : undefined;
    const isAlone = this.#first + 1 === this.#pieces.length;
    if (whole !== undefined && lengthOf(whole) <= most && (isAlone || lengthOf(whole) >= OWN_FRAME_BYTES)) {
      this.#drop();
      this.#waitingBytes -= lengthOf(whole);
      return whole;
    }
    const frame = Buffer.allocUnsafe(HEADER_BYTES + this.#shareBytes(most));
    this.#fill(frame.subarray(HEADER_BYTES));
    return frame;
  }

  clear(): void {
    this.#pieces = [];
    this.#first = 0;
    this.#waitingBytes = 0;
  }

  /** How many bytes the next frame takes of several pieces: up to one that is a frame by itself. */
  #shareBytes(most: number): number {
    let bytes = 0;
    for (let index = this.#first; index < this.#pieces.length && bytes < most; index++) {
      const length = remaining(this.#pieces[index]);
      const isFrame = this.#pieces[index]?.kind === 'framed' && length >= OWN_FRAME_BYTES && length <= most;
      if (isFrame && bytes > 0) break;
      bytes += length;
    }
    return Math.min(bytes, most);
  }

  #fill(target: Buffer): void {
    for (let position = 0; position < target.length; ) {
      const piece = this.#pieces[this.#first];
      if (piece === undefined) return;
      const length = remaining(piece);
      const part = target.subarray(position, position + length);
      if (piece.kind === 'long') piece.long.fill(part);
      else this.#copy(piece.kind === 'framed' ? piece.frame.subarray(HEADER_BYTES) : piece.bytes, part);
      if (part.length === length) this.#drop();
      position += part.length;
    }
    this.#waitingBytes -= target.length;
  }

  #copy(source: Buffer, part: Buffer): void {
    source.copy(part, 0, 0, part.length);
    if (part.length < source.length)
      this.#pieces[this.#first] = { kind: 'bytes', bytes: source.subarray(part.length) };
  }

  #drop(): void {
    this.#first++;
    if (this.#first < this.#pieces.length) return;
    this.#pieces = [];
    this.#first = 0;
  }
}

function lengthOf(frame: Buffer): number {
  return frame.length - HEADER_BYTES;
}

function remaining(piece: Piece | undefined): number {
  if (piece === undefined) return 0;
  if (piece.kind === 'long') return piece.long.remainingBytes;
  return piece.kind === 'framed' ? lengthOf(piece.frame) : piece.bytes.length;
}

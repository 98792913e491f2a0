// What a channel still has to send: whole messages, each behind its length, as one byte stream that is cut anywhere. The
// small messages of a turn share a frame; a long one is encoded as it is cut, so its payload is never in memory twice.

import { Buffer } from 'node:buffer';
import type { WireMessage } from '@codex/exec-protocol';
import { LongMessage, wireByteLength, writeWire } from '@codex/exec-rpc/bytes';

const LENGTH_BYTES = 4;
/** A longer message belongs to the channel; up to here it is copied when it is sent. */
const COPIED_BYTES = 512 * 1024;

type Piece = Buffer | LongMessage;

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

  add(message: WireMessage): void {
    const length = wireByteLength(message);
    const isLong = length > COPIED_BYTES;
    const piece = Buffer.allocUnsafe(isLong ? LENGTH_BYTES : LENGTH_BYTES + length);
    piece.writeUInt32BE(length, 0);
    if (!isLong) writeWire(message, piece, LENGTH_BYTES);
    this.#pieces.push(piece);
    if (isLong) this.#pieces.push(new LongMessage(message, length));
    this.#waitingBytes += LENGTH_BYTES + length;
    this.#addedBytes += LENGTH_BYTES + length;
  }

  /** Fills the target, which must not be longer than what waits. */
  take(target: Buffer): void {
    for (let position = 0; position < target.length; ) {
      const piece = this.#pieces[this.#first];
      if (piece === undefined) return;
      const room = target.length - position;
      const length = piece instanceof LongMessage ? piece.remainingBytes : piece.length;
      const taken = Math.min(room, length);
      const part = target.subarray(position, position + taken);
      if (piece instanceof LongMessage) piece.fill(part);
      else piece.copy(part, 0, 0, taken);
      if (taken === length) this.#drop();
      else if (!(piece instanceof LongMessage)) this.#pieces[this.#first] = piece.subarray(taken);
      position += taken;
    }
    this.#waitingBytes -= target.length;
  }

  clear(): void {
    this.#pieces = [];
    this.#first = 0;
    this.#waitingBytes = 0;
  }

  #drop(): void {
    this.#first++;
    if (this.#first < this.#pieces.length) return;
    this.#pieces = [];
    this.#first = 0;
  }
}

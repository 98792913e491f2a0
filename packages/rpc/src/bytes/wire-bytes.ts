// Turns a wire message into bytes exactly once: text as UTF-8, payload segments as base64 directly at their place.

import { Buffer } from 'node:buffer';
import type { WireMessage } from '@codex/exec-protocol';

/** Bytes `writeWire` will need. */
export function wireByteLength(message: WireMessage): number {
  if (typeof message === 'string') return Buffer.byteLength(message);
  let total = 0;
  for (const segment of message) {
    total += typeof segment === 'string' ? Buffer.byteLength(segment) : base64Length(segment.length);
  }
  return total;
}

/** Writes the message at `offset` and returns the position behind it. */
export function writeWire(message: WireMessage, target: Buffer, offset: number): number {
  if (typeof message === 'string') return offset + target.write(message, offset, 'utf8');
  let position = offset;
  for (const segment of message) {
    position +=
      typeof segment === 'string'
        ? target.write(segment, position, 'utf8')
        : writeBase64(segment, target, position);
  }
  return position;
}

// Node encodes base64 only to a string. Pieces of this size (a multiple of 3) stay in the cache and die young: at four times
// the size it takes twice the processor time, most of it garbage collection.
export const BASE64_PIECE_BYTES = 12 * 1024;

export function base64Piece(source: Buffer, start: number): string {
  return source.toString('base64', start, start + BASE64_PIECE_BYTES);
}

function writeBase64(bytes: Uint8Array, target: Buffer, offset: number): number {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let position = offset;
  for (let start = 0; start < source.length; start += BASE64_PIECE_BYTES) {
    position += target.write(base64Piece(source, start), position, 'latin1');
  }
  return position - offset;
}

function base64Length(byteLength: number): number {
  return Math.ceil(byteLength / 3) * 4;
}

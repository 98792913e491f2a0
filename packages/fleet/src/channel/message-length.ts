// What stands before each message in the byte stream of a channel: its length, and whether it is in binary form. The form is
// told here, because a gateway passes on what it does not read, and a websocket tells it outside of the message too.
//
//   bit 31  one for binary form   bits 0..30  the length

import type { Buffer } from 'node:buffer';

export const LENGTH_BYTES = 4;

const BINARY_BIT = 0x8000_0000;

export interface MessageLength {
  readonly length: number;
  readonly isBinary: boolean;
}

export function writeLength(target: Buffer, offset: number, { length, isBinary }: MessageLength): void {
  target.writeUInt32BE(isBinary ? length + BINARY_BIT : length, offset);
}

export function readLength(source: Buffer): MessageLength {
  const word = source.readUInt32BE(0);
  const isBinary = word >= BINARY_BIT;
  return { isBinary, length: isBinary ? word - BINARY_BIT : word };
}

// The header of a websocket frame (RFC 6455 5.2).

import type { Buffer } from 'node:buffer';
import { freshMask } from './frame-mask.js';

export const MAX_HEADER_BYTES = 14;
const FIN = 0x80;
const TEXT = 0x01;
const BINARY = 0x02;
const CONTINUATION = 0x00;
const MASKED = 0x80;

export interface FrameHeader {
  readonly payloadBytes: number;
  readonly masked: boolean;
  readonly isBinary: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Returns where the payload begins; a mask stands in the four bytes before it. */
export function writeFrameHeader(target: Buffer, offset: number, header: FrameHeader): number {
  const { payloadBytes, masked, isBinary, isFirst, isLast } = header;
  const maskBit = masked ? MASKED : 0;
  let position = offset + 2;
  const opcode = isBinary ? BINARY : TEXT;
  target[offset] = (isFirst ? opcode : CONTINUATION) | (isLast ? FIN : 0);
  if (payloadBytes < 126) {
    target[offset + 1] = maskBit | payloadBytes;
  } else if (payloadBytes < 65536) {
    target[offset + 1] = maskBit | 126;
    position = target.writeUInt16BE(payloadBytes, position);
  } else {
    target[offset + 1] = maskBit | 127;
    position = target.writeUInt32BE(Math.floor(payloadBytes / 2 ** 32), position);
    position = target.writeUInt32BE(payloadBytes >>> 0, position);
  }
  return masked ? position + freshMask().copy(target, position) : position;
}

// The header of a websocket frame (RFC 6455 5.2).

import type { Buffer } from 'node:buffer';
import { freshMask, NO_MASK } from './frame-mask.js';

export const MAX_HEADER_BYTES = 14;
const FIN = 0x80;
const TEXT = 0x01;
const BINARY = 0x02;
const CONTINUATION = 0x00;
const MASKED = 0x80;

/**
 * What a server sends has no mask. What a client sends has one: random, or of zeros, which leaves the payload as it is. The
 * random one keeps whoever chooses the payload from choosing the bytes on the wire, which a proxy that does not understand
 * websockets could take for a request of its own; it protects nothing else, and where there is no proxy nothing.
 */
export type Masking = 'none' | 'random' | 'zeros';

export interface FrameHeader {
  readonly payloadBytes: number;
  readonly masking: Masking;
  readonly isBinary: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Returns where the payload begins; a mask stands in the four bytes before it. */
export function writeFrameHeader(target: Buffer, offset: number, header: FrameHeader): number {
  const { payloadBytes, masking, isBinary, isFirst, isLast } = header;
  const maskBit = masking === 'none' ? 0 : MASKED;
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
  if (masking === 'none') return position;
  return position + (masking === 'zeros' ? NO_MASK : freshMask()).copy(target, position);
}

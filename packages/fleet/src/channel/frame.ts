// A frame: 24 bytes of header and a piece of the byte stream. Both counts are absolute, so any frame repairs what an
// earlier one told.
//
//   0  version   1  kind   2..3  zero   4  seq (u32)   8  read (f64)   16  granted (f64)   24  payload

import { Buffer } from 'node:buffer';
import { isProbe } from './heartbeat/question.js';

const VERSION = 1;
export const HEADER_BYTES = 24;

export const FrameKind = { data: 1, credit: 2, ping: 3, pong: 4, close: 5, reset: 6 } as const;
export type FrameKind = (typeof FrameKind)[keyof typeof FrameKind];

const KINDS: ReadonlySet<number> = new Set(Object.values(FrameKind));

export interface FrameHeader {
  readonly kind: FrameKind;
  /** Counts all frames of one direction. A reset has none. */
  readonly seq: number;
  /** How many bytes of the stream the sender of this frame has read. */
  readonly read: number;
  /** Up to which byte of the stream the remote end may send. */
  readonly granted: number;
}

export interface Frame extends FrameHeader {
  readonly payload: Buffer;
}

export function writeHeader(target: Buffer, { kind, seq, read, granted }: FrameHeader): void {
  target.writeUInt8(VERSION, 0);
  target.writeUInt8(kind, 1);
  target.writeUInt16BE(0, 2);
  target.writeUInt32BE(seq >>> 0, 4);
  target.writeDoubleBE(read, 8);
  target.writeDoubleBE(granted, 16);
}

export function encodeFrame(header: FrameHeader, payload?: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(HEADER_BYTES + (payload?.length ?? 0));
  writeHeader(frame, header);
  if (payload !== undefined) frame.set(payload, HEADER_BYTES);
  return frame;
}

/** Undefined for what is no frame of this version. The payload is a view. */
export function decodeFrame(data: Uint8Array): Frame | undefined {
  if (data.length < HEADER_BYTES || data[0] !== VERSION) return undefined;
  const bytes = Buffer.from(data.buffer, data.byteOffset, data.byteLength);
  const kind = bytes.readUInt8(1);
  const read = bytes.readDoubleBE(8);
  const granted = bytes.readDoubleBE(16);
  if (!KINDS.has(kind) || !isCount(read) || !isCount(granted)) return undefined;
  return {
    kind: kind as FrameKind,
    seq: bytes.readUInt32BE(4),
    read,
    granted,
    payload: bytes.subarray(HEADER_BYTES),
  };
}

export function nextSeq(seq: number): number {
  return (seq + 1) >>> 0;
}

export const RESET: Buffer = encodeFrame({ kind: FrameKind.reset, seq: 0, read: 0, granted: 0 });

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

/** Data, or the answer to a probe. Everything else a relay says by itself, whether or not its own remote end is alive. */
export function isFromTheEnd({ kind, payload }: Frame): boolean {
  return kind === FrameKind.data || (kind === FrameKind.pong && isProbe(payload));
}

// `ws` without its optional native module takes the mask off byte by byte in JavaScript, and joins a large frame from
// hundreds of blocks once the last one is there. Here the mask comes off four bytes at a time, and a large frame is put
// in its place block by block while it arrives. `ws` offers no place for that, so this reaches into its frame reader:
// where that looks different from what is known here, nothing is changed and `ws` does its own work. All checks of a
// frame are left to `ws`; they come before its payload.

import { Buffer } from 'node:buffer';
import type { WebSocket } from 'ws';
import { maskInPlace } from './frame-mask.js';
import { GatheredFrame } from './gathered-frame.js';

/** Below this the loop of `ws` is as fast. */
const LEAST_UNMASKED_BYTES = 256;
/** A shorter frame has at most a few blocks. */
const LEAST_GATHERED_BYTES = 256 * 1024;

interface FrameReader {
  _payloadLength: number;
  _masked: boolean;
  _mask: Uint8Array | undefined;
  /** What has arrived and is not consumed, in blocks and in bytes. */
  _buffers: Buffer[];
  _bufferedBytes: number;
  /** The frames of a message that is not whole. */
  _fragments: Buffer[];
  /** False makes it wait for the next block. */
  _loop: boolean;
  consume(bytes: number): Buffer;
  /** Called for every block while a payload is awaited. */
  getData(done: unknown): void;
}

export interface QuickReceive {
  /** Frames from this size on are put together while they arrive. */
  readonly leastGatheredBytes?: number;
}

/** Returns whether the frame reader could be changed. */
export function receiveQuickly(
  webSocket: WebSocket,
  { leastGatheredBytes = LEAST_GATHERED_BYTES }: QuickReceive = {},
): boolean {
  const reader: unknown = Reflect.get(webSocket, '_receiver');
  if (!isFrameReader(reader)) return false;
  const { getData } = reader;
  let frame: GatheredFrame | undefined;
  reader.getData = function (this: FrameReader, done) {
    const length = this._payloadLength;
    if (frame !== undefined || (length >= leastGatheredBytes && this._bufferedBytes < length)) {
      frame ??= new GatheredFrame(length, maskOf(this));
      gather(this, frame);
      if (frame.missing > 0) {
        this._loop = false;
        return;
      }
      putBack(this, frame.bytes);
      frame = undefined;
    } else if (length >= LEAST_UNMASKED_BYTES && this._bufferedBytes >= length) {
      const mask = maskOf(this);
      const data = this.consume(length);
      if (mask !== undefined) maskInPlace(data, 0, mask);
      putBack(this, data);
    }
    getData.call(this, done);
  };
  return true;
}

/** Copies what the frame reader keeps, blocks and fragments, where it stands in memory that is about to be used again. */
export function keepUnconsumed(webSocket: WebSocket, isLent: (block: Buffer) => boolean): void {
  const { _buffers, _fragments } = Reflect.get(webSocket, '_receiver') as FrameReader;
  for (const kept of [_buffers, _fragments]) {
    for (const [index, block] of kept.entries()) if (isLent(block)) kept[index] = Buffer.from(block);
  }
}

function maskOf(reader: FrameReader): Uint8Array | undefined {
  return reader._masked ? reader._mask : undefined;
}

function gather(reader: FrameReader, frame: GatheredFrame): void {
  for (let block = reader._buffers[0]; block !== undefined && frame.missing > 0; block = reader._buffers[0]) {
    frame.add(reader.consume(Math.min(block.length, frame.missing)));
  }
}

/** As one block that has no mask, `ws` takes it as it is. */
function putBack(reader: FrameReader, data: Buffer): void {
  reader._buffers.unshift(data);
  reader._bufferedBytes += data.length;
  reader._masked = false;
}

function isFrameReader(value: unknown): value is FrameReader {
  if (typeof value !== 'object' || value === null) return false;
  const reader = value as Partial<FrameReader>;
  return (
    typeof reader.consume === 'function' &&
    typeof reader.getData === 'function' &&
    Array.isArray(reader._buffers) &&
    Array.isArray(reader._fragments) &&
    typeof reader._bufferedBytes === 'number' &&
    typeof reader._payloadLength === 'number' &&
    typeof reader._masked === 'boolean' &&
    typeof reader._loop === 'boolean' &&
    '_mask' in reader
  );
}

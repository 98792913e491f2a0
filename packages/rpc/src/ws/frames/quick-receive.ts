// `ws` without its optional native module takes the mask off byte by byte in JavaScript, and joins a large frame from
// hundreds of blocks once the last one is there. Here the mask comes off four bytes at a time, and a large frame is put
// in its place block by block while it arrives. `ws` offers no place for that, so this reaches into its frame reader:
// where that looks different from what is known here, nothing is changed and `ws` does its own work. All checks of a
// frame are left to `ws`; they come before its payload.

import { Buffer } from 'node:buffer';
import type { EstablishedWebSocket } from '../established-web-socket.js';
import { maskInPlace } from './frame-mask.js';
import { GatheredFrame } from './gathered-frame.js';

/** Below this the loop of `ws` is as fast. */
const LEAST_UNMASKED_BYTES = 256;
/** A shorter frame has at most a few blocks. */
const LEAST_GATHERED_BYTES = 256 * 1024;

/** A shorter rest of a frame comes with what is behind it, in one read. */
const LEAST_READ_IN_PLACE_BYTES = 64 * 1024;
/** Behind such a frame another one is expected. */
const LONG_BYTES = 128 * 1024;
/** Of a frame that closes, pings or answers one. */
const FIRST_CONTROL_OPCODE = 8;

interface FrameReader {
  _payloadLength: number;
  _masked: boolean;
  _mask: Uint8Array | undefined;
  /** What has arrived and is not consumed, in blocks and in bytes. */
  _buffers: Buffer[];
  _bufferedBytes: number;
  /** The frames of a message that is not whole. */
  _fragments: Buffer[];
  _opcode: number;
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

/** A frame that is being put together. */
export interface Gathering {
  /** The last frame was long, and none is being put together: what the next one begins with is to be read, and not much more. */
  readonly isBetweenLongFrames: boolean;
  /** Where its next bytes belong, if there is one; they may be read straight to there. */
  room(): Buffer | undefined;
  /** So many bytes were. Returns whether the frame is whole now, and the frame reader has to look at it. */
  filled(bytes: number): boolean;
}

/** Undefined where the frame reader could not be changed. */
export function receiveQuickly(
  webSocket: EstablishedWebSocket,
  { leastGatheredBytes = LEAST_GATHERED_BYTES }: QuickReceive = {},
): Gathering | undefined {
  const reader: unknown = Reflect.get(webSocket, '_receiver');
  if (!isFrameReader(reader)) return undefined;
  const { getData } = reader;
  let frame: GatheredFrame | undefined;
  let wasLong = false;
  reader.getData = function (this: FrameReader, done) {
    const length = this._payloadLength;
    if (!isControl(this)) wasLong = length >= LONG_BYTES;
    if (frame !== undefined || (length >= leastGatheredBytes && this._bufferedBytes < length)) {
      frame ??= new GatheredFrame(length, maskOf(this));
      gather(this, frame);
      if (frame.missing > 0) {
        this._loop = false;
        return;
      }
      putBack(this, frame.bytes);
      frame = undefined;
    } else if (isTakenHere(this)) {
      const mask = maskOf(this);
      // Who is told of a control frame may look at it later, when a shared read has gone on.
      const data = isControl(this) ? Buffer.from(this.consume(length)) : this.consume(length);
      if (mask !== undefined) maskInPlace(data, 0, mask);
      putBack(this, data);
    }
    getData.call(this, done);
  };
  return {
    get isBetweenLongFrames() {
      return wasLong && frame === undefined;
    },
    room: () =>
      frame !== undefined && frame.missing >= LEAST_READ_IN_PLACE_BYTES ? frame.room() : undefined,
    filled: (bytes) => {
      frame?.fill(bytes);
      return frame?.missing === 0;
    },
  };
}

/** How long the message is, as far as announced, of which a part has arrived; zero between messages and where that is not known. */
export function announcedBytes(webSocket: EstablishedWebSocket): number {
  const bytes: unknown = Reflect.get(Object(Reflect.get(webSocket, '_receiver')), '_totalPayloadLength');
  return typeof bytes === 'number' ? bytes : 0;
}

/** Copies what the frame reader keeps, blocks and fragments, where it stands in memory that is about to be used again. */
export function keepUnconsumed(webSocket: EstablishedWebSocket, isLent: (block: Buffer) => boolean): void {
  const { _buffers, _fragments } = Reflect.get(webSocket, '_receiver') as FrameReader;
  for (const kept of [_buffers, _fragments]) {
    for (const [index, block] of kept.entries()) if (isLent(block)) kept[index] = Buffer.from(block);
  }
}

function isControl({ _opcode }: FrameReader): boolean {
  return _opcode >= FIRST_CONTROL_OPCODE;
}

function isTakenHere(reader: FrameReader): boolean {
  const length = reader._payloadLength;
  const isWorthIt = length >= LEAST_UNMASKED_BYTES || (length > 0 && isControl(reader));
  return isWorthIt && reader._bufferedBytes >= length;
}

/** Undefined also for a mask of zeros, which changes nothing. */
function maskOf({ _masked, _mask }: FrameReader): Uint8Array | undefined {
  return _masked && _mask?.some((byte) => byte !== 0) === true ? _mask : undefined;
}

function gather(reader: FrameReader, frame: GatheredFrame): void {
  // A block without bytes stands for those that were read straight to their place.
  const next = (): Buffer | undefined => reader._buffers[0];
  for (let block = next(); block !== undefined; block = next()) {
    if (block.length > 0 && frame.missing === 0) break;
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
    typeof reader._opcode === 'number' &&
    typeof reader._masked === 'boolean' &&
    typeof reader._loop === 'boolean' &&
    '_mask' in reader
  );
}

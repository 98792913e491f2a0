// `ws` without its optional native module takes the mask off byte by byte in JavaScript, which is half of what receiving
// a large message costs. Here it comes off four bytes at a time. `ws` offers no place for that, so this reaches into its
// frame reader: where that looks different from what is known here, nothing is changed and `ws` does its own work.

import type { Buffer } from 'node:buffer';
import type { WebSocket } from 'ws';
import { maskInPlace } from './frame-mask.js';

/** Below this the loop of `ws` is as fast. Frame headers are shorter, so nothing but payload is this long. */
const LEAST_BYTES = 256;
/** The mask that `ws` does not apply. */
const NO_MASK = new Uint8Array(4);

interface FrameReader {
  _masked: boolean;
  _mask: Uint8Array | undefined;
  consume(bytes: number): Buffer;
}

/** Returns whether the frame reader could be changed. */
export function unmaskQuickly(webSocket: WebSocket): boolean {
  const reader: unknown = Reflect.get(webSocket, '_receiver');
  if (!isFrameReader(reader)) return false;
  const { consume } = reader;
  reader.consume = function (this: FrameReader, bytes) {
    const data = consume.call(this, bytes);
    if (bytes >= LEAST_BYTES && this._masked && this._mask?.length === 4) {
      maskInPlace(data, 0, this._mask);
      this._mask = NO_MASK;
    }
    return data;
  };
  return true;
}

function isFrameReader(value: unknown): value is FrameReader {
  if (typeof value !== 'object' || value === null) return false;
  const reader = value as Partial<FrameReader>;
  return typeof reader.consume === 'function' && '_mask' in reader && typeof reader._masked === 'boolean';
}

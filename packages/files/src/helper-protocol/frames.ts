// How the server and a file helper speak over a pair of pipes: a frame is two lengths, a JSON header and raw bytes, so
// that file contents are never text.
import { Buffer } from 'node:buffer';
import { HelperProtocolError } from './helper-protocol-error.js';

export interface Frame {
  readonly header: unknown;
  readonly payload: Buffer;
}

const LENGTHS_BYTES = 8;
const NOTHING = Buffer.alloc(0);

/** A copy of so much costs less than waking the other side twice. */
const ONE_BLOCK_BYTES = 16 * 1024;

/** What is longer is no frame of ours. */
const MAX_HEADER_BYTES = 64 * 1024 * 1024;
const MAX_PAYLOAD_BYTES = 512 * 1024 * 1024;

export function encodeFrame(header: unknown, payload: Uint8Array = NOTHING): readonly Uint8Array[] {
  const text = JSON.stringify(header);
  const length = Buffer.byteLength(text);
  const isOneBlock = payload.byteLength <= ONE_BLOCK_BYTES;
  const head = Buffer.allocUnsafe(LENGTHS_BYTES + length + (isOneBlock ? payload.byteLength : 0));
  head.writeUInt32LE(length, 0);
  head.writeUInt32LE(payload.byteLength, 4);
  head.write(text, LENGTHS_BYTES);
  if (!isOneBlock) return [head, payload];
  head.set(payload, LENGTHS_BYTES + length);
  return [head];
}

/** Puts frames together from blocks of any size. Throws a SyntaxError or HelperProtocolError for what is no frame. */
export class FrameReader {
  #blocks: Buffer[] = [];
  #buffered = 0;
  #wanted = LENGTHS_BYTES;
  readonly #onFrame: (frame: Frame) => void;

  constructor(onFrame: (frame: Frame) => void) {
    this.#onFrame = onFrame;
  }

  push(block: Buffer): void {
    this.#blocks.push(block);
    this.#buffered += block.length;
    while (this.#buffered >= this.#wanted) {
      const joined = this.#joined();
      const headerLength = joined.readUInt32LE(0);
      const payloadLength = joined.readUInt32LE(4);
      if (headerLength > MAX_HEADER_BYTES || payloadLength > MAX_PAYLOAD_BYTES) {
        throw new HelperProtocolError('a frame is too long');
      }
      const headerEnd = LENGTHS_BYTES + headerLength;
      const end = headerEnd + payloadLength;
      if (joined.length < end) {
        this.#wanted = end;
        return;
      }
      const header: unknown = JSON.parse(joined.toString('utf8', LENGTHS_BYTES, headerEnd));
      this.#buffered = joined.length - end;
      this.#blocks = this.#buffered === 0 ? [] : [joined.subarray(end)];
      this.#wanted = LENGTHS_BYTES;
      this.#onFrame({ header, payload: payloadLength === 0 ? NOTHING : joined.subarray(headerEnd, end) });
    }
  }

  #joined(): Buffer {
    const [first = NOTHING] = this.#blocks;
    const joined = this.#blocks.length === 1 ? first : Buffer.concat(this.#blocks);
    this.#blocks = [joined];
    return joined;
  }
}

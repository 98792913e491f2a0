// Reads the body of a response in one piece, within what a reply and this connection may hold.
import type { IncomingMessage } from 'node:http';
import { BROKEN_OFF, bodyFailed } from './http-error.js';

/** Bytes that the buffered bodies of one connection hold together. */
export class BufferRoom {
  readonly capacity: number;
  used = 0;

  constructor(capacity: number) {
    this.capacity = capacity;
  }
}

export interface BufferedBody {
  readonly bytes: Uint8Array;
  /** Gives the room back. */
  release(): void;
}

export async function readBody(
  response: IncomingMessage,
  { maxBytes, room }: { readonly maxBytes: number; readonly room: BufferRoom },
): Promise<BufferedBody> {
  const blocks: Buffer[] = [];
  let total = 0;
  const release = (): void => {
    room.used -= total;
    total = 0;
  };
  try {
    for await (const block of response as AsyncIterable<Buffer>) {
      blocks.push(block);
      total += block.byteLength;
      room.used += block.byteLength;
      if (total > maxBytes) throw bodyFailed(`it is larger than ${maxBytes} bytes: set streamResponse`);
      if (room.used > room.capacity) {
        throw bodyFailed(
          `the responses of this connection exceed ${room.capacity} bytes: set streamResponse`,
        );
      }
    }
    if (!response.complete) throw bodyFailed(BROKEN_OFF);
  } catch (error) {
    release();
    response.destroy();
    throw error;
  }
  return { bytes: Buffer.concat(blocks, total), release };
}

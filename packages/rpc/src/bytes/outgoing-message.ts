// A message on its way out, in the form it is sent in: text with payloads as base64, or binary with payloads as they are.

import { Buffer } from 'node:buffer';
import {
  BINARY_HEADER_BYTES,
  type BinaryParts,
  binaryParts,
  hasPayload,
  type WireMessage,
  writeBinaryHeader,
} from '@codex/exec-protocol';
import { LongMessage } from './long-message.js';
import { wireByteLength, writeWire } from './wire-bytes.js';

export interface OutgoingMessage {
  readonly isBinary: boolean;
  readonly length: number;
  /** Writes it at `offset` and returns the position behind it. */
  write(target: Buffer, offset: number): number;
  /** For a message that is encoded piece by piece. */
  long(): LongMessage;
  /** The same with bytes of its own. */
  copy(): OutgoingMessage;
}

/** A message without payloads is text always. */
export function outgoingMessage(message: WireMessage, isBinary: boolean): OutgoingMessage {
  return isBinary && hasPayload(message)
    ? new BinaryOutgoing(binaryParts(message))
    : new TextOutgoing(message);
}

/** One that is encoded already. */
export function encodedMessage(bytes: Uint8Array, isBinary: boolean): OutgoingMessage {
  return new EncodedOutgoing(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), isBinary);
}

class TextOutgoing implements OutgoingMessage {
  readonly isBinary = false;
  readonly length: number;
  readonly #message: WireMessage;

  constructor(message: WireMessage) {
    this.#message = message;
    this.length = wireByteLength(message);
  }

  write(target: Buffer, offset: number): number {
    return writeWire(this.#message, target, offset);
  }

  long(): LongMessage {
    return new LongMessage(this.#message, this.length);
  }

  copy(): OutgoingMessage {
    return copied(this);
  }
}

class BinaryOutgoing implements OutgoingMessage {
  readonly isBinary = true;
  readonly length: number;
  readonly #parts: BinaryParts;
  readonly #textBytes: number;

  constructor(parts: BinaryParts) {
    this.#parts = parts;
    this.#textBytes = Buffer.byteLength(parts.text);
    this.length = BINARY_HEADER_BYTES + this.#textBytes + parts.payloadBytes;
  }

  write(target: Buffer, offset: number): number {
    let position = this.#writeHead(target, offset);
    for (const payload of this.#parts.payloads) {
      target.set(payload, position);
      position += payload.length;
    }
    return position;
  }

  long(): LongMessage {
    const head = Buffer.allocUnsafe(BINARY_HEADER_BYTES + this.#textBytes);
    this.#writeHead(head, 0);
    return new LongMessage([head, ...this.#parts.payloads], this.length, 'raw');
  }

  copy(): OutgoingMessage {
    return copied(this);
  }

  #writeHead(target: Buffer, offset: number): number {
    const { text, payloadBytes } = this.#parts;
    const position = writeBinaryHeader(target, offset, { textBytes: this.#textBytes, payloadBytes });
    return position + target.write(text, position, 'utf8');
  }
}

class EncodedOutgoing implements OutgoingMessage {
  readonly isBinary: boolean;
  readonly length: number;
  readonly #bytes: Buffer;

  constructor(bytes: Buffer, isBinary: boolean) {
    this.isBinary = isBinary;
    this.length = bytes.length;
    this.#bytes = bytes;
  }

  write(target: Buffer, offset: number): number {
    return offset + this.#bytes.copy(target, offset);
  }

  long(): LongMessage {
    return new LongMessage([this.#bytes], this.length, 'raw');
  }

  copy(): OutgoingMessage {
    return copied(this);
  }
}

function copied(message: OutgoingMessage): OutgoingMessage {
  const bytes = Buffer.allocUnsafe(message.length);
  message.write(bytes, 0);
  return new EncodedOutgoing(bytes, message.isBinary);
}

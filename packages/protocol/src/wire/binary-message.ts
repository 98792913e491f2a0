// A message in binary form: a header, the JSON text with the lengths of its payloads in their places, then the payloads
// as they are, in the order of the text. The same bytes on every transport that carries it.
//
//   byte 0      1, the kind. No JSON text begins with it.
//   bytes 1-4   length of the text
//   bytes 5-8   length of the payloads together; both with the highest byte first
import { runtime } from '../runtime.js';
import { MalformedMessageError } from './malformed-message-error.js';
import { type IncomingMessage, parseMessage } from './parse-message.js';
import type { RequestLimits } from './request-limits.js';
import type { WireMessage, WireSegments } from './wire-message.js';

export const BINARY_KIND = 1;
export const BINARY_HEADER_BYTES = 9;

export interface BinaryParts {
  readonly text: string;
  readonly payloads: readonly Uint8Array[];
  readonly payloadBytes: number;
}

/** A message without payloads has no binary form: it is text always. */
export function hasPayload(message: WireMessage): message is WireSegments {
  return typeof message !== 'string' && message.some((segment) => typeof segment !== 'string');
}

/** Where the segments have `"`, bytes, `"`, the text has the number of the bytes. */
export function binaryParts(segments: WireSegments): BinaryParts {
  const texts: string[] = [];
  const payloads: Uint8Array[] = [];
  let payloadBytes = 0;
  for (const [index, segment] of segments.entries()) {
    if (typeof segment === 'string') {
      const start = typeof segments[index - 1] === 'object' ? 1 : 0;
      const end = typeof segments[index + 1] === 'object' ? -1 : segment.length;
      texts.push(segment.slice(start, end));
    } else {
      texts.push(String(segment.length));
      payloads.push(segment);
      payloadBytes += segment.length;
    }
  }
  return { text: texts.join(''), payloads, payloadBytes };
}

export interface BinaryLengths {
  readonly textBytes: number;
  readonly payloadBytes: number;
}

/** Returns the position behind it. */
export function writeBinaryHeader(target: Uint8Array, offset: number, lengths: BinaryLengths): number {
  target[offset] = BINARY_KIND;
  writeLength(target, offset + 1, lengths.textBytes);
  writeLength(target, offset + 5, lengths.payloadBytes);
  return offset + BINARY_HEADER_BYTES;
}

/** The lengths that a header tells; the source has at least that many bytes. Throws for another kind. */
export function readBinaryHeader(source: Uint8Array): BinaryLengths {
  if (source[0] !== BINARY_KIND) {
    throw new MalformedMessageError(`a binary message of the unknown kind ${source[0] ?? 'nothing'}`);
  }
  return { textBytes: readLength(source, 1), payloadBytes: readLength(source, 5) };
}

/** The whole message in one piece, for transports that want it so. */
export function materializeBinary(segments: WireSegments): Uint8Array {
  const { text, payloads, payloadBytes } = binaryParts(segments);
  const encoded = new runtime.TextEncoder().encode(text);
  const message = new Uint8Array(BINARY_HEADER_BYTES + encoded.length + payloadBytes);
  let position = writeBinaryHeader(message, 0, { textBytes: encoded.length, payloadBytes });
  for (const part of [encoded, ...payloads]) {
    message.set(part, position);
    position += part.length;
  }
  return message;
}

export interface BinaryMessage {
  /** With lengths where its payloads belong. */
  readonly message: IncomingMessage;
  /** All payloads: a view of what was parsed. */
  readonly payload: Uint8Array;
}

/** The text of a message whose header was read before. */
export function binaryText(source: Uint8Array): Uint8Array {
  const { textBytes } = readBinaryHeader(source);
  return source.subarray(BINARY_HEADER_BYTES, BINARY_HEADER_BYTES + textBytes);
}

/** Throws `MalformedMessageError`. Whether the lengths in the text are right is found when the payloads are put in place. */
export function parseBinaryMessage(source: Uint8Array, limits?: RequestLimits): BinaryMessage {
  if (source.length < BINARY_HEADER_BYTES) {
    throw new MalformedMessageError(`a binary message of ${source.length} bytes has no whole header`);
  }
  const { textBytes, payloadBytes } = readBinaryHeader(source);
  if (BINARY_HEADER_BYTES + textBytes + payloadBytes !== source.length) {
    throw new MalformedMessageError(
      `a binary message has ${source.length} bytes; its header tells of ${textBytes} and ${payloadBytes}`,
    );
  }
  if (limits && textBytes > limits.maxTextBytes) {
    throw MalformedMessageError.tooMuch(`the text of a message may have ${limits.maxTextBytes} bytes`);
  }
  const end = BINARY_HEADER_BYTES + textBytes;
  return {
    message: parseMessage(textOf(source.subarray(BINARY_HEADER_BYTES, end)), limits?.maxKeys),
    payload: source.subarray(end),
  };
}

let decoder: { decode(bytes: Uint8Array): string } | undefined;

function textOf(bytes: Uint8Array): string {
  decoder ??= new runtime.TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  try {
    return decoder.decode(bytes);
  } catch (cause) {
    throw new MalformedMessageError('the text of a binary message is not valid UTF-8', cause);
  }
}

function writeLength(target: Uint8Array, offset: number, length: number): void {
  for (let index = 0; index < 4; index++) target[offset + index] = length >>> (24 - 8 * index);
}

function readLength(source: Uint8Array, offset: number): number {
  let length = 0;
  for (let index = 0; index < 4; index++) length = length * 256 + (source[offset + index] ?? 0);
  return length;
}

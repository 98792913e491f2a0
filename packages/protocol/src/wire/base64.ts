// Strict base64 (RFC 4648 section 4): padded, canonical trailing bits, no whitespace, no URL alphabet.
import { type NativeBuffer, type NativeBytes, runtime } from '../runtime.js';
import { decodeBase64Plain, encodeBase64Plain } from './base64-plain.js';

/** Node's decoder looks at the low byte only, so that U+0141 would pass for an A. Free on one-byte strings. */
const WIDE = /[\u0100-\uffff]/;

/**
 * Longer texts are decoded in pieces. Whole, they would be copied at two bytes per character first, into fresh memory
 * whose pages cost more than the decoding. A multiple of 4; strings of this size are short-lived and stay in the cache.
 */
const PIECE = 64 * 1024;

/** Length of the decoded bytes if the text is well-formed; undefined when its length cannot be right. */
function decodedLength(length: number, tail: string): number | undefined {
  if (length % 4 !== 0) return undefined;
  const padding = tail.endsWith('==') ? 2 : tail.endsWith('=') ? 1 : 0;
  return (length / 4) * 3 - padding;
}

/** Whether the bits that padding leaves over are zero: decoded bytes would hide them. */
function hasCanonicalTail(tail: string): boolean {
  if (!tail.endsWith('=')) return true;
  return decodeBase64Plain(tail) !== undefined;
}

function hasForeignSymbol(text: string): boolean {
  return text.includes('-') || text.includes('_') || WIDE.test(text);
}

/**
 * Runtime decoders skip what they do not know, so the strictness is in the arithmetic: every skipped or
 * premature character makes the result shorter than the text promises.
 */
function decodeWithBuffer(Buffer: NativeBuffer, text: string, expected: number): Uint8Array | undefined {
  if (text.length > PIECE) {
    const long = { length: text.length, piece: (from: number, to: number) => text.slice(from, to) };
    return decodePieces(long, Buffer.allocUnsafeSlow(expected));
  }
  if (hasForeignSymbol(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === expected ? bytes : undefined;
}

interface LongText {
  readonly length: number;
  readonly piece: (from: number, to: number) => string;
}

/** The same arithmetic holds for each piece; only the last one may be padded. */
function decodePieces({ length, piece }: LongText, bytes: NativeBytes): Uint8Array | undefined {
  let written = 0;
  for (let from = 0; from < length; from += PIECE) {
    const text = piece(from, Math.min(from + PIECE, length));
    if (hasForeignSymbol(text)) return undefined;
    written += bytes.write(text, written, 'base64');
    if (written !== Math.min(((from + text.length) / 4) * 3, bytes.length)) return undefined;
  }
  return bytes;
}

function decodeWithUint8Array(text: string, expected: number): Uint8Array | undefined {
  try {
    const bytes = runtime.Uint8Array.fromBase64?.(text, { lastChunkHandling: 'strict' });
    return bytes?.length === expected ? bytes : undefined;
  } catch {
    return undefined;
  }
}

/** Undefined when the text is not strict base64; `explainBase64` says why. */
export function decodeBase64(text: string): Uint8Array | undefined {
  const { Buffer } = runtime;
  const tail = text.slice(-4);
  const expected = decodedLength(text.length, tail);
  if (expected === undefined || !hasCanonicalTail(tail)) return undefined;
  if (Buffer !== undefined) return decodeWithBuffer(Buffer, text, expected);
  if (runtime.Uint8Array.fromBase64 !== undefined) return decodeWithUint8Array(text, expected);
  return decodeBase64Plain(text);
}

/** Memory for that many bytes or more. */
export type Allocate = (bytes: number) => Uint8Array;

/** The same for a text that is still bytes. Undefined also where the runtime has no fast way to do it. */
export function decodeBase64Bytes(source: Uint8Array, allocate: Allocate): Uint8Array | undefined {
  const { Buffer } = runtime;
  if (Buffer === undefined) return undefined;
  const text = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  const { length } = text;
  const tail = text.toString('latin1', Math.max(0, length - 4), length);
  const expected = decodedLength(length, tail);
  if (expected === undefined || !hasCanonicalTail(tail)) return undefined;
  const memory = allocate(expected);
  const long = { length, piece: (from: number, to: number) => text.toString('latin1', from, to) };
  return decodePieces(long, Buffer.from(memory.buffer, memory.byteOffset, expected));
}

export function encodeBase64(bytes: Uint8Array): string {
  const { Buffer } = runtime;
  if (Buffer !== undefined) {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  }
  const native = bytes as Uint8Array & { toBase64?(): string };
  return native.toBase64 === undefined ? encodeBase64Plain(bytes) : native.toBase64();
}

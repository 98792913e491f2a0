// Strict base64 (RFC 4648 section 4): padded, canonical trailing bits, no whitespace, no URL alphabet.
import { runtime } from '../runtime.js';
import { decodeBase64Plain, encodeBase64Plain } from './base64-plain.js';

const PAD = 61; // '='

/** Node's decoder looks at the low byte only, so that U+0141 would pass for an A. Free on one-byte strings. */
const WIDE = /[\u0100-\uffff]/;

/** Length of the decoded bytes if the text is well-formed; undefined when its length cannot be right. */
function decodedLength(text: string): number | undefined {
  const { length } = text;
  if (length % 4 !== 0) return undefined;
  if (length === 0 || text.charCodeAt(length - 1) !== PAD) return (length / 4) * 3;
  return (length / 4) * 3 - (text.charCodeAt(length - 2) === PAD ? 2 : 1);
}

/** Whether the bits that padding leaves over are zero: decoded bytes would hide them. */
function hasCanonicalTail(text: string): boolean {
  const tail = text.slice(-4);
  if (!tail.endsWith('=')) return true;
  return decodeBase64Plain(tail) !== undefined;
}

/**
 * Runtime decoders skip what they do not know, so the strictness is in the arithmetic: every skipped or
 * premature character makes the result shorter than the text promises.
 */
function decodeWithBuffer(text: string, expected: number): Uint8Array | undefined {
  const { Buffer } = runtime;
  if (Buffer === undefined || text.includes('-') || text.includes('_') || WIDE.test(text)) return undefined;
  const bytes = Buffer.from(text, 'base64');
  return bytes.length === expected ? bytes : undefined;
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
  const expected = decodedLength(text);
  if (expected === undefined || !hasCanonicalTail(text)) return undefined;
  if (runtime.Buffer !== undefined) return decodeWithBuffer(text, expected);
  if (runtime.Uint8Array.fromBase64 !== undefined) return decodeWithUint8Array(text, expected);
  return decodeBase64Plain(text);
}

export function encodeBase64(bytes: Uint8Array): string {
  const { Buffer } = runtime;
  if (Buffer !== undefined) {
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  }
  const native = bytes as Uint8Array & { toBase64?(): string };
  return native.toBase64 === undefined ? encodeBase64Plain(bytes) : native.toBase64();
}

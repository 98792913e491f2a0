// A long request with a base64 payload, parsed from the received bytes. The payload is decoded where it stands and
// becomes no string: making one, parsing it as JSON and copying it out again costs several times what decoding does.
// Strict base64 holds no quote, backslash or control character, so a message without it has the same structure. Whatever
// else a message is, or is wrong with it, is left to the ordinary way.
import { runtime } from '../runtime.js';
import { type Allocate, decodeBase64Bytes } from './base64.js';
import { type IncomingRequest, parseMessage } from './parse-message.js';

export interface PayloadRequest extends IncomingRequest {
  /** What the payload member held. In `params` it is the empty string. */
  readonly payload: Uint8Array;
}

/** Method → the member of its params that holds base64. */
export type PayloadMembers = ReadonlyMap<string, string>;

export interface PayloadOptions {
  readonly members: PayloadMembers;
  /** Where the decoded payload goes. */
  readonly allocate: Allocate;
}

/** A shorter payload costs little either way. */
export const LEAST_PAYLOAD_BYTES: number = 64 * 1024;

/** Clients write the short members of a request before or behind the long one; this is room for those before it. */
const MOST_BYTES_BEFORE = 64 * 1024;

const SPACE = 32;
const QUOTE = 34;
const COLON = 58;
const OPEN_BRACKET = 91;
const BACKSLASH = 92;
const CLOSE_BRACKET = 93;
const OPEN_BRACE = 123;
const CLOSE_BRACE = 125;

interface Span {
  readonly start: number;
  readonly end: number;
}

interface Payload extends Span {
  /** The key it stands behind, and the key of the object that both are in. */
  readonly key: Span;
  readonly owner: Span;
}

const NOWHERE: Span = { start: 0, end: 0 };

/**
 * The first long string, if it looks like a member of a member of the message. What lies before it is not checked, so
 * this is right only where the rest turns out to be valid JSON.
 */
function findPayload(source: Uint8Array): Payload | undefined {
  let depth = 0;
  let last = NOWHERE;
  let owner = NOWHERE;
  let previous = 0;
  for (let index = 0; index < MOST_BYTES_BEFORE; index++) {
    const code = source[index] ?? 0;
    if (code <= SPACE) continue;
    if (code === QUOTE) {
      const start = index + 1;
      const end = source.indexOf(QUOTE, start);
      if (end === -1 || source[end - 1] === BACKSLASH) return undefined;
      if (end - start >= LEAST_PAYLOAD_BYTES) {
        return depth === 2 && previous === COLON ? { start, end, key: last, owner } : undefined;
      }
      last = { start, end };
      index = end;
    } else if (code === OPEN_BRACE || code === OPEN_BRACKET) {
      depth++;
      if (depth === 2) owner = code === OPEN_BRACE ? last : NOWHERE;
    } else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) {
      depth--;
    }
    previous = code;
  }
  return undefined;
}

/** Undefined when the message is anything else than a well-formed request with such a payload. */
export function parsePayloadRequest(
  source: Uint8Array,
  { members, allocate }: PayloadOptions,
): PayloadRequest | undefined {
  const found = findPayload(source);
  if (found === undefined) return undefined;
  const decoder = new runtime.TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const textOf = ({ start, end }: Span) => decoder.decode(source.subarray(start, end));
  try {
    const key = textOf(found.key);
    if (textOf(found.owner) !== 'params' || ![...members.values()].includes(key)) return undefined;
    const before = textOf({ start: 0, end: found.start });
    const behind = textOf({ start: found.end, end: source.length });
    const message = parseMessage(before + behind);
    if (message.kind !== 'request' || members.get(message.method) !== key) return undefined;
    const payload = decodeBase64Bytes(source.subarray(found.start, found.end), allocate);
    return payload && { ...message, payload };
  } catch {
    // Not UTF-8 or not a message: the ordinary way finds the same and says what.
    return undefined;
  }
}

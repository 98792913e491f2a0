// A long request with a base64 payload, parsed from the received bytes. The payload is decoded where it stands and
// becomes no string: making one, parsing it as JSON and copying it out again costs several times what decoding does.
// Strict base64 holds no quote, backslash or control character, so a message without it has the same structure. Whatever
// else a message is, or is wrong with it, is left to the ordinary way.
import { runtime } from '../runtime.js';
import { type Allocate, decodeBase64Bytes } from './base64.js';
import { findLongString, type Span } from './long-string.js';
import { type IncomingRequest, parseMessage } from './parse-message.js';
import type { RequestLimits } from './request-limits.js';

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
  /** Of the rest of the message. Default: none. */
  readonly limits?: RequestLimits | undefined;
}

/** Undefined when the message is anything else than a well-formed request with such a payload. */
export function parsePayloadRequest(
  source: Uint8Array,
  { members, allocate, limits }: PayloadOptions,
): PayloadRequest | undefined {
  const found = findLongString(source);
  if (found === undefined || !found.isPlainValue || found.depth !== 2) return undefined;
  if (limits && source.length - (found.end - found.start) > limits.maxTextBytes) return undefined;
  const decoder = new runtime.TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const textOf = ({ start, end }: Span) => decoder.decode(source.subarray(start, end));
  try {
    const key = textOf(found.key);
    if (textOf(found.owner) !== 'params' || ![...members.values()].includes(key)) return undefined;
    const before = textOf({ start: 0, end: found.start });
    const behind = textOf({ start: found.end, end: source.length });
    const message = parseMessage(before + behind, limits?.maxKeys);
    if (message.kind !== 'request' || members.get(message.method) !== key) return undefined;
    const payload = decodeBase64Bytes(source.subarray(found.start, found.end), allocate);
    return payload && { ...message, payload };
  } catch {
    // Not UTF-8 or not a message: the ordinary way finds the same and says what.
    return undefined;
  }
}

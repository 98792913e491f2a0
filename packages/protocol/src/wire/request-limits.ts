// What a server takes of a message besides a payload that is decoded where it stands. JSON is parsed in one piece, during which no
// other client is served, so what is longer is refused before it is looked at: only its id is looked for, because somebody
// waits for the answer.
import { MAX_REQUEST_KEYS, MAX_REQUEST_TEXT_BYTES } from '../limits.js';
import { runtime } from '../runtime.js';
import { findLongRequest } from './long-message.js';
import { findLongString } from './long-string.js';
import { MalformedMessageError } from './malformed-message-error.js';
import type { PayloadMembers } from './payload-request.js';
import type { RequestId } from './wire-message.js';

export interface RequestLimits {
  readonly maxTextBytes: number;
  /** Of all objects together. */
  readonly maxKeys: number;
}

export const REQUEST_LIMITS: RequestLimits = Object.freeze({
  maxTextBytes: MAX_REQUEST_TEXT_BYTES,
  maxKeys: MAX_REQUEST_KEYS,
});

export interface TooLongMessage {
  /** Undefined when the message is no request, or when its id is not found. */
  readonly id: RequestId | undefined;
  readonly reason: string;
}

/** For a message longer than `maxTextBytes` that is no request with a payload. */
export function refuseTooLong(
  source: Uint8Array,
  members: PayloadMembers,
  limits: RequestLimits,
): TooLongMessage {
  const reason = `a message may have ${limits.maxTextBytes} bytes besides a payload of strict base64`;
  const request = findLongRequest(source);
  if (request === undefined) return { id: undefined, reason };
  const { id, method } = request;
  const member = members.get(method);
  if (member === undefined || member !== keyOfLongString(source)) return { id, reason };
  return { id, reason: `${member} is not strict base64, and ${reason}` };
}

/** Who waits for the answer to a message that was refused for its size alone. */
export function idOfRefused(error: unknown, text: () => string | Uint8Array): RequestId | undefined {
  if (!(error instanceof MalformedMessageError && error.isTooMuch)) return undefined;
  const source = text();
  return findLongRequest(typeof source === 'string' ? new runtime.TextEncoder().encode(source) : source)?.id;
}

function keyOfLongString(source: Uint8Array): string | undefined {
  const found = findLongString(source);
  if (found === undefined) return undefined;
  const decoder = new runtime.TextDecoder('utf-8', { fatal: false, ignoreBOM: true });
  return decoder.decode(source.subarray(found.key.start, found.key.end));
}

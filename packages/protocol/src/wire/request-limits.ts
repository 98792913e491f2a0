// What a server takes of a message besides a payload that is decoded where it stands. JSON is parsed in one piece, during which no
// other client is served, so what is longer is refused before it is looked at: only its id is looked for, because somebody
// waits for the answer.
import { MAX_REQUEST_KEYS, MAX_REQUEST_TEXT_BYTES } from '../limits.js';
import { runtime } from '../runtime.js';
import { findLongString } from './long-string.js';
import { parseMessage } from './parse-message.js';
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
  /** Undefined when the message is no request, or when one long string is not what makes it long. */
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
  const found = findLongString(source);
  if (found === undefined || source.length - (found.end - found.start) > limits.maxTextBytes) {
    return { id: undefined, reason };
  }
  const decoder = new runtime.TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  const textOf = (start: number, end: number) => decoder.decode(source.subarray(start, end));
  try {
    const message = parseMessage(textOf(0, found.start) + textOf(found.end, source.length), limits.maxKeys);
    if (message.kind !== 'request') return { id: undefined, reason };
    const { id, method } = message;
    const key = textOf(found.key.start, found.key.end);
    // What was left out may be the id itself.
    if (found.depth === 1 && key === 'id') return { id: undefined, reason };
    const member = members.get(method);
    if (member === undefined || key !== member) return { id, reason };
    return { id, reason: `${member} is not strict base64, and ${reason}` };
  } catch {
    // Not UTF-8 or not a message: nobody can be told by name.
    return { id: undefined, reason };
  }
}

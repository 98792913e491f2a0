// The payloads of messages. In a text message a payload is base64 in its member; in a binary one the member holds the
// length, and the bytes themselves once the message is parsed.
import { decodeBase64, encodeBase64 } from './base64.js';

export type Payload = string | Uint8Array;

/** Undefined for a text that is no base64. */
export function payloadBytes(payload: Payload): Uint8Array | undefined {
  return typeof payload === 'string' ? decodeBase64(payload) : payload;
}

/**
 * Puts the payloads of a binary message where their lengths stand. False when a length is missing or none, or when they do
 * not add up: the value is of no use then.
 */
export function placePayloads(value: unknown, paths: readonly string[], payload: Uint8Array): boolean {
  let position = 0;
  const areAllPlaced = everyPayload(value, paths, (owner, name) => {
    const length = owner[name];
    if (typeof length !== 'number' || !Number.isInteger(length) || length < 0) return false;
    if (length > payload.length - position) return false;
    owner[name] = payload.subarray(position, position + length);
    position += length;
    return true;
  });
  return areAllPlaced && position === payload.length;
}

/** Makes base64 of bytes, for who wants the result of a method as a text message has it. */
export function payloadsAsText(value: unknown, paths: readonly string[]): void {
  everyPayload(value, paths, (owner, name) => {
    const payload = owner[name];
    if (payload instanceof Uint8Array) owner[name] = encodeBase64(payload);
    return true;
  });
}

const LIST_MARK = '[].';

type Owner = Record<string, unknown>;

function everyPayload(
  value: unknown,
  paths: readonly string[],
  visit: (owner: Owner, name: string) => boolean,
): boolean {
  return paths.every((path) => {
    const [first = '', member] = path.split(LIST_MARK);
    if (member === undefined) return hasOwn(value, first) && visit(value, first);
    const list = hasOwn(value, first) ? value[first] : undefined;
    return Array.isArray(list) && list.every((owner) => hasOwn(owner, member) && visit(owner, member));
  });
}

function hasOwn(value: unknown, name: string): value is Owner {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}

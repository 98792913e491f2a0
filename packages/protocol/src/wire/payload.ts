// The payloads of messages. In a text message a payload is base64 in its member; in a binary one the member holds the
// length, and the bytes themselves once the message is parsed.
import type { METHODS } from '../generated/method-table.js';
import type { ClientRequestMethod, Method, ParamsOf, ResultOf } from '../methods.js';
import { decodeBase64, encodeBase64 } from './base64.js';

export type Payload = string | Uint8Array;

type PayloadMember<M extends Method> = (typeof METHODS)[M] extends { payload: infer Name } ? Name : never;

/** The parameters of a method, with bytes where the sender has them and the receiver got them. */
export type ParamsWithPayload<M extends Method> = [PayloadMember<M>] extends [never]
  ? ParamsOf<M>
  : { [Name in keyof ParamsOf<M>]: Name extends PayloadMember<M> ? Payload : ParamsOf<M>[Name] };

type PayloadPath<M extends Method> = (typeof METHODS)[M] extends { resultPayloads: readonly (infer Path)[] }
  ? Path
  : never;

/** The member of the elements of a list that is a payload. */
type ElementMember<List, Path> = List extends string
  ? Path extends `${List}[].${infer Member}`
    ? Member
    : never
  : never;

type PlacePayload<Value, Name, Path> = Name extends Path
  ? Payload
  : [ElementMember<Name, Path>] extends [never]
    ? Value
    : Value extends readonly (infer Element)[]
      ? readonly {
          [Member in keyof Element]: Member extends ElementMember<Name, Path> ? Payload : Element[Member];
        }[]
      : Value;

/** The result of a request as its caller gets it. */
export type ResultWithPayload<M extends ClientRequestMethod> = [PayloadPath<M>] extends [never]
  ? ResultOf<M>
  : { [Name in keyof ResultOf<M>]: PlacePayload<ResultOf<M>[Name], Name, PayloadPath<M>> };

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

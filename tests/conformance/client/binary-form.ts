// Messages in binary form, written and read as docs/protocol.md describes them.
import { isMethod, METHODS } from '@codex/exec-protocol';
import { isObject, type JsonObject } from './message.js';

export const HEADER_BYTES = 9;

/** A message in binary form: `text` has lengths where payloads belong. */
export function binaryMessage(text: string, payload: Uint8Array = new Uint8Array(0), kind = 1): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.writeUInt8(kind, 0);
  header.writeUInt32BE(Buffer.byteLength(text), 1);
  header.writeUInt32BE(payload.length, 5);
  return Buffer.concat([header, Buffer.from(text), payload]);
}

/** The binary form of a request, or undefined where it has no payload. */
export function binaryRequest(request: JsonObject): Buffer | undefined {
  const { method, params } = request;
  if (typeof method !== 'string' || !isMethod(method) || !isObject(params)) return undefined;
  const info = METHODS[method];
  const member = 'payload' in info ? info.payload : '';
  const base64 = params[member];
  if (typeof base64 !== 'string') return undefined;
  const payload = Buffer.from(base64, 'base64');
  // What is no base64 cannot be said in binary form: the server is to hear it as it is.
  if (payload.toString('base64') !== base64) return undefined;
  return binaryMessage(
    JSON.stringify({ ...request, params: { ...params, [member]: payload.length } }),
    payload,
  );
}

interface Split {
  readonly message: JsonObject;
  readonly payload: Buffer;
}

/** Throws where the message is not as described. */
export function splitBinary(bytes: Uint8Array): Split {
  const source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  if (source.length < HEADER_BYTES || source[0] !== 1)
    throw new Error(`no binary message: ${source.toString('hex', 0, 16)}`);
  const textBytes = source.readUInt32BE(1);
  const payloadBytes = source.readUInt32BE(5);
  if (source.length !== HEADER_BYTES + textBytes + payloadBytes)
    throw new Error('the lengths of a header lie');
  const end = HEADER_BYTES + textBytes;
  const message: unknown = JSON.parse(source.toString('utf8', HEADER_BYTES, end));
  if (!isObject(message)) throw new Error('not a JSON object');
  return { message, payload: source.subarray(end) };
}

/** The same message as text, with base64. `methodOf` gives the method of the request that a reply answers. */
export function textOfBinary(bytes: Uint8Array, methodOf: (id: unknown) => string | undefined): string {
  const { message, payload } = splitBinary(bytes);
  const isReply = message['method'] === undefined;
  const method = isReply ? methodOf(message['id']) : String(message['method']);
  const value = structuredClone(isReply ? message['result'] : message['params']);
  let position = 0;
  for (const owner of payloadOwners(value, placesOf(method, isReply))) {
    const length = Number(owner.holder[owner.name]);
    if (!Number.isInteger(length)) throw new Error(`\`${owner.name}\` of ${method} is not a length`);
    owner.holder[owner.name] = payload.toString('base64', position, position + length);
    position += length;
  }
  if (position !== payload.length) throw new Error(`the payloads of ${method} do not add up`);
  return JSON.stringify({ ...message, [isReply ? 'result' : 'params']: value });
}

function placesOf(method: string | undefined, isReply: boolean): readonly string[] {
  if (method === undefined || !isMethod(method)) return [];
  const info = METHODS[method];
  if (isReply) return 'resultPayloads' in info ? info.resultPayloads : [];
  return 'payload' in info ? [info.payload] : [];
}

interface Owner {
  readonly holder: Record<string, unknown>;
  readonly name: string;
}

function payloadOwners(value: unknown, places: readonly string[]): Owner[] {
  return places.flatMap((place) => {
    const [name = '', member] = place.split('[].');
    const holder = value as Record<string, unknown>;
    if (member === undefined) return [{ holder, name }];
    return (holder[name] as Record<string, unknown>[]).map((element) => ({ holder: element, name: member }));
  });
}

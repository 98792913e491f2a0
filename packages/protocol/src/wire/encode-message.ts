// Messages → wire text. No member is ever `undefined`, and ids beyond 2^53 are written as they came.
import type { RpcError } from '../errors/errors.js';
import { MAX_JSON_VALUES } from '../limits.js';
import { encodeBase64 } from './base64.js';
import { scanJson } from './json-scan.js';
import { MalformedMessageError } from './malformed-message-error.js';
import { type RequestId, type WireMessage, WireResult, type WireSegments } from './wire-message.js';

const idText = (id: RequestId) => (typeof id === 'string' ? JSON.stringify(id) : String(id));

/** JSON has no undefined; at the top of a value it means null. */
const jsonText = (value: unknown) => (JSON.stringify(value) as string | undefined) ?? 'null';

function withParams(head: string, params: unknown): WireMessage {
  if (params === undefined) return `${head}}`;
  return `${head},"params":${jsonText(params)}}`;
}

function isPayload(member: [string, unknown]): member is [string, Uint8Array] {
  return member[1] instanceof Uint8Array;
}

/** Undefined where no member of the params holds bytes. */
function payloadSegments(head: string, params: unknown): WireMessage | undefined {
  if (typeof params !== 'object' || params === null) return undefined;
  const found = Object.entries(params).find(isPayload);
  if (found === undefined) return undefined;
  const [member, bytes] = found;
  const { [member]: _, ...rest } = params as Readonly<Record<string, unknown>>;
  const before = JSON.stringify(rest).slice(0, -1);
  const comma = before === '{' ? '' : ',';
  return [`${head},"params":${before}${comma}"${member}":"`, bytes, '"}}'];
}

/**
 * The payload member of the params may hold bytes. Throws for a string with half a surrogate pair and for more values than a
 * message may have: the remote end would not take such a text for a message, and would not answer this id.
 */
export function encodeRequest(id: RequestId, method: string, params?: unknown): WireMessage {
  const head = `{"id":${idText(id)},"method":${JSON.stringify(method)}`;
  const message = payloadSegments(head, params) ?? withParams(head, params);
  for (const part of typeof message === 'string' ? [message] : message) {
    if (typeof part !== 'string') continue;
    if (part.includes('\\ud') && LONE_SURROGATE.test(part)) {
      throw new MalformedMessageError('a string holds a lone surrogate, which cannot be sent');
    }
    if (part.length > MAX_JSON_VALUES) scanJson(part);
  }
  return message;
}

/** JSON.stringify escapes no other surrogates; an even number of backslashes before it is text that spells an escape. */
const LONE_SURROGATE = /(?<!\\)(?:\\\\)*\\ud[89a-f]/;

export function encodeNotification(method: string, params?: unknown): WireMessage {
  return withParams(`{"method":${JSON.stringify(method)}`, params);
}

export function encodeResult(id: RequestId, result: unknown): WireMessage {
  const head = `{"id":${idText(id)},"result":`;
  if (result instanceof WireResult) return [head, ...result.segments, '}'];
  return `${head}${jsonText(result)}}`;
}

export function encodeError(id: RequestId, error: Pick<RpcError, 'code' | 'message' | 'data'>): WireMessage {
  const { code, message, data } = error;
  return `{"error":${jsonText({ code, message, data })},"id":${idText(id)}}`;
}

const segmentText = (segment: WireSegments[number]) =>
  typeof segment === 'string' ? segment : encodeBase64(segment);

/** The whole message as one string, for transports that stay in memory. */
export function materialize(message: WireMessage): string {
  return typeof message === 'string' ? message : message.map(segmentText).join('');
}

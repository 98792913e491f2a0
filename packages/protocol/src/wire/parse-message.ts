// Text → one classified message. Which kind it is depends on the presence of keys only, as upstream has it.

import { describeValue } from '../errors/serde-text.js';
import type { TraceContext } from '../generated/wire-types.js';
import { scanJson } from './json-scan.js';
import { MalformedMessageError } from './malformed-message-error.js';
import type { RequestId } from './wire-message.js';

export interface IncomingRequest {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: unknown;
  readonly trace?: TraceContext;
}

export interface IncomingNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: unknown;
}

export interface IncomingResponse {
  readonly kind: 'response';
  readonly id: RequestId;
  readonly result: unknown;
}

export interface IncomingError {
  readonly kind: 'error';
  readonly id: RequestId;
  readonly error: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export type IncomingMessage = IncomingRequest | IncomingNotification | IncomingResponse | IncomingError;

type Members = Readonly<Record<string, unknown>>;

const I64_MIN = -(2n ** 63n);
const I64_MAX = 2n ** 63n - 1n;
const INTEGER = /^-?(?:0|[1-9][0-9]{0,18})$/;

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (cause) {
    throw new MalformedMessageError('the message is not valid JSON', cause);
  }
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Escapes can spell half a surrogate pair, which no encoding of a path, argument or variable can carry. */
function refuseLoneSurrogates(value: unknown): void {
  if (typeof value === 'string') {
    if (/\p{Surrogate}/u.test(value)) throw new MalformedMessageError('a string holds a lone surrogate');
  } else if (Array.isArray(value)) value.forEach(refuseLoneSurrogates);
  else if (isMembers(value)) {
    for (const [key, member] of Object.entries(value)) {
      refuseLoneSurrogates(key);
      refuseLoneSurrogates(member);
    }
  }
}

/** The literal text decides, because a parsed number has lost the difference between 1, 1.0 and 2^53 + 1. */
function requestId(message: Members, literal: string | undefined): RequestId {
  if (!Object.hasOwn(message, 'id')) throw new MalformedMessageError('missing field `id`');
  const id = message['id'];
  if (typeof id === 'string') return id;
  if (typeof id === 'number' && String(id) === literal && Number.isSafeInteger(id)) return id;
  if (typeof id === 'number' && literal !== undefined && INTEGER.test(literal)) {
    if (Number.isSafeInteger(id)) return id === 0 ? 0 : id;
    const exact = BigInt(literal);
    if (exact >= I64_MIN && exact <= I64_MAX) return exact;
  }
  throw new MalformedMessageError('`id` must be a string or a signed 64-bit integer');
}

function text(value: unknown): string {
  if (typeof value === 'string') return value;
  throw new MalformedMessageError(`invalid type: ${describeValue(value)}, expected a string`);
}

function traceContext(value: unknown): TraceContext | undefined {
  if (value === undefined || value === null) return undefined;
  if (!isMembers(value)) {
    throw new MalformedMessageError(`invalid type: ${describeValue(value)}, expected struct TraceContext`);
  }
  for (const name of ['traceparent', 'tracestate']) {
    if (value[name] !== undefined && value[name] !== null) text(value[name]);
  }
  return value;
}

function errorBody(message: Members): IncomingError['error'] {
  if (!Object.hasOwn(message, 'error')) throw new MalformedMessageError('missing field `error`');
  const error = message['error'];
  if (!isMembers(error)) {
    throw new MalformedMessageError(`invalid type: ${describeValue(error)}, expected struct WireError`);
  }
  const { code, message: sentence, data } = error;
  for (const name of ['code', 'message']) {
    if (!Object.hasOwn(error, name)) throw new MalformedMessageError(`missing field \`${name}\``);
  }
  if (typeof code !== 'number' || !Number.isSafeInteger(code)) {
    throw new MalformedMessageError(`invalid type: ${describeValue(code)}, expected i64`);
  }
  return { code, message: text(sentence), ...(data === undefined || data === null ? {} : { data }) };
}

function classify(message: Members, idLiteral: string | undefined): IncomingMessage {
  if (Object.hasOwn(message, 'method')) {
    const method = text(message['method']);
    const params = Object.hasOwn(message, 'params') ? message['params'] : undefined;
    if (!Object.hasOwn(message, 'id')) return { kind: 'notification', method, params };
    const id = requestId(message, idLiteral);
    const trace = traceContext(Object.hasOwn(message, 'trace') ? message['trace'] : undefined);
    if (trace === undefined) return { kind: 'request', id, method, params };
    return { kind: 'request', id, method, params, trace };
  }
  if (Object.hasOwn(message, 'result')) {
    return { kind: 'response', id: requestId(message, idLiteral), result: message['result'] };
  }
  const error = errorBody(message);
  return { kind: 'error', id: requestId(message, idLiteral), error };
}

/** Throws `MalformedMessageError` with a plain sentence. `maxKeys`: of all objects together. */
export function parseMessage(source: string, maxKeys?: number): IncomingMessage {
  const idLiteral = scanJson(source, maxKeys);
  const message = parseJson(source);
  if (!isMembers(message)) throw new MalformedMessageError('expected a JSON-RPC object');
  if (source.includes('\\u')) refuseLoneSurrogates(message);
  return classify(message, idLiteral);
}

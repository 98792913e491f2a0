// The headers of a request: names and values checked, values from the environment put in, framing left to us.
import type { HttpRequestHeader } from '@codex/exec-protocol';
import type { ServerEnvironment } from '../process/start/environment/env-policy.js';
import { mayStandInHeader } from './header-variables.js';
import {
  emptyVariable,
  headersTooLong,
  invalidHeaderName,
  invalidHeaderValue,
  missingVariable,
  protectedVariable,
} from './http-error.js';

export interface Header {
  /** Lower case. */
  readonly name: string;
  /** One character per byte, as Node's http takes it. */
  readonly value: string;
  /** The value holds a variable of the server's environment. */
  readonly isFromEnvironment: boolean;
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const FIELD_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;

/**
 * Where a message ends and what becomes of its connection is decided here, not by the caller: a wrong length would
 * put the rest of a body in front of the next request of a connection that is used again.
 */
const FRAMING = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Of all of them together, ten times what servers take. */
const MAX_LENGTH = 256 * 1024;

export function requestHeaders(wanted: readonly HttpRequestHeader[], env: ServerEnvironment): Header[] {
  const length = wanted.reduce((sum, { name, value }) => sum + name.length + value.length, 0);
  if (length > MAX_LENGTH) throw headersTooLong(MAX_LENGTH);
  return wanted.map((header) => oneHeader(header, env)).filter(({ name }) => !FRAMING.has(name));
}

function oneHeader({ name, value, valueEnvVar }: HttpRequestHeader, env: ServerEnvironment): Header {
  if (!TOKEN.test(name)) throw invalidHeaderName();
  const isFromEnvironment = valueEnvVar !== null && valueEnvVar !== undefined;
  const text = isFromEnvironment ? value + variableFor(name, valueEnvVar, env) : value;
  const bytes = Buffer.from(text, 'utf8').toString('latin1');
  if (!FIELD_VALUE.test(bytes)) throw invalidHeaderValue(name);
  return { name: name.toLowerCase(), value: bytes, isFromEnvironment };
}

function variableFor(header: string, variable: string, env: ServerEnvironment): string {
  if (!mayStandInHeader(variable)) throw protectedVariable(header, variable);
  const value = Object.hasOwn(env, variable) ? env[variable] : undefined;
  if (value === undefined) throw missingVariable(header, variable);
  if (value === '') throw emptyVariable(header, variable);
  return value;
}

/** For the reply: values that are not plain ASCII have no text form and are left out, as the peer does. */
export function responseHeaders(rawHeaders: readonly string[]): { name: string; value: string }[] {
  const headers: { name: string; value: string }[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]?.toLowerCase() ?? '';
    const value = rawHeaders[index + 1] ?? '';
    if (/^[\t\x20-\x7e]*$/.test(value)) headers.push({ name, value });
  }
  return headers;
}

// Validates an HTTP request of a client and converts it for sending.
import { decodeBase64, explainBase64, type HttpRequestParams, invalidParams } from '@codex/exec-protocol';
import type { ServerEnvironment } from '../process/start/environment/env-policy.js';
import { invalidMethod, invalidUrl, unsupportedScheme } from './http-error.js';
import { type Header, requestHeaders } from './request-headers.js';

/** One request to one server. A redirect makes another one of it. */
export interface OutgoingRequest {
  readonly method: string;
  /** Without fragment and credentials. */
  readonly url: URL;
  readonly headers: readonly Header[];
  readonly body: Uint8Array | undefined;
}

const METHOD = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** Some servers take 8 KiB, none a megabyte. Parsing one (Punycode, escapes) takes far longer than receiving it. */
const MAX_URL = 64 * 1024;

/** `body`: what came in place of the base64 in `params`. */
export function outgoingRequest(
  params: HttpRequestParams,
  env: ServerEnvironment,
  body?: Uint8Array,
): OutgoingRequest {
  if (!METHOD.test(params.method)) throw invalidMethod('invalid HTTP method');
  // A tunnel is not a request: nothing would ever read what comes through it.
  if (params.method.toUpperCase() === 'CONNECT') throw invalidMethod('CONNECT is not supported');
  const { url, authorization } = parseUrl(params.url);
  const headers = requestHeaders(params.headers ?? [], env);
  const has = (name: string) => headers.some((header) => header.name === name);
  if (authorization !== undefined && !has('authorization')) {
    headers.push({ name: 'authorization', value: authorization, isFromEnvironment: false });
  }
  if (!has('accept')) headers.push({ name: 'accept', value: '*/*', isFromEnvironment: false });
  return { method: params.method.toUpperCase(), url, headers, body: body ?? decodeBody(params.bodyBase64) };
}

function parseUrl(text: string): { url: URL; authorization: string | undefined } {
  if (text.length > MAX_URL) throw invalidUrl(`longer than ${MAX_URL} characters`);
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw invalidUrl(/^[a-z][a-z0-9+.-]*:/i.test(text) ? 'not a valid URL' : 'relative URL without a base');
  }
  if (!isHttp(url)) throw unsupportedScheme(url.protocol.slice(0, -1));
  const authorization = basicAuthorization(url);
  return { url: bare(url), authorization };
}

export function isHttp(url: URL): boolean {
  return url.protocol === 'http:' || url.protocol === 'https:';
}

/** `Basic …` for the credentials that stand in a URL. */
export function basicAuthorization(url: URL): string | undefined {
  if (url.username === '' && url.password === '') return undefined;
  const credentials = `${decoded(url.username)}:${decoded(url.password)}`;
  return `Basic ${Buffer.from(credentials).toString('base64')}`;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function bare(url: URL): URL {
  const copy = new URL(url);
  copy.username = '';
  copy.password = '';
  copy.hash = '';
  return copy;
}

function decodeBody(text: string | null | undefined): Uint8Array | undefined {
  if (text === null || text === undefined || text === '') return undefined;
  const bytes = decodeBase64(text);
  if (bytes === undefined) throw invalidParams(explainBase64(text));
  return bytes;
}

// Builds the request that follows a redirect, without the headers that must not go along.
import { sendFailed } from './http-error.js';
import { bare, isHttp, type OutgoingRequest } from './outgoing-request.js';
import type { Header } from './request-headers.js';

const STATUSES = new Set([301, 302, 303, 307, 308]);
const BODY_HEADERS = new Set(['content-encoding', 'content-language', 'content-location', 'content-type']);
/** Another origin learns neither the client's credentials nor what the server's environment holds. */
const PRIVATE_HEADERS = new Set([
  'authorization',
  'cookie',
  'host',
  'proxy-authorization',
  'www-authenticate',
]);

export interface RedirectAnswer {
  readonly status: number;
  readonly location: string | undefined;
}

/** Undefined when the answer is not a redirect that can be followed. */
export function followRedirect(
  request: OutgoingRequest,
  { status, location }: RedirectAnswer,
): OutgoingRequest | undefined {
  if (!STATUSES.has(status) || location === undefined || !URL.canParse(location, request.url.href))
    return undefined;
  const url = bare(new URL(location, request.url));
  if (!isHttp(url)) {
    throw sendFailed(`redirect target uses unsupported URL scheme: ${url.protocol.slice(0, -1)}`);
  }
  const method = methodAfter(request.method, status);
  const keepsBody = method === request.method;
  const isSameOrigin = url.origin === request.url.origin;
  const headers = request.headers.filter(
    (header) =>
      header.name !== 'referer' &&
      (keepsBody || !BODY_HEADERS.has(header.name)) &&
      (isSameOrigin || !isPrivate(header)),
  );
  return {
    method,
    url,
    headers: [...headers, ...referer(request.url, url)],
    body: keepsBody ? request.body : undefined,
  };
}

function isPrivate(header: Header): boolean {
  return header.isFromEnvironment || PRIVATE_HEADERS.has(header.name);
}

function methodAfter(method: string, status: number): string {
  if (status === 303 && method !== 'HEAD') return 'GET';
  return (status === 301 || status === 302) && method === 'POST' ? 'GET' : method;
}

function referer(from: URL, to: URL): Header[] {
  if (from.protocol === 'https:' && to.protocol === 'http:') return [];
  const value = from.origin === to.origin ? from.href : `${from.origin}/`;
  return [{ name: 'referer', value, isFromEnvironment: false }];
}

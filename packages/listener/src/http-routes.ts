// Routes a request that has passed the common checks. Pure.

import { isHostAllowed, rawHeaderValues } from './gate/host-gate.js';
import { isOriginAllowed } from './gate/origin-gate.js';
import type { HttpAnswer } from './http-answer.js';

export interface RequestHead {
  readonly method?: string | undefined;
  readonly url?: string | undefined;
  readonly headers: { readonly origin?: string | undefined };
  readonly rawHeaders: readonly string[];
}

export interface RouteRules {
  readonly allowOrigins: readonly string[];
  /** Undefined where the Host header does not matter: off loopback, where every request must authenticate. */
  readonly allowHosts: readonly string[] | undefined;
  /** Whether a websocket is served at the path. Default: at `/` only. */
  readonly servesPath?: ((path: string) => boolean) | undefined;
  /** Said where nothing is served. */
  readonly otherPath?: string | undefined;
}

const HEALTH_PATHS = new Set(['/readyz', '/healthz']);

/** For a request that no page of this listener may answer: of a web page, or by a name that is not this machine's. */
export function requestRefusal(request: RequestHead, rules: RouteRules): HttpAnswer | undefined {
  if (!isOriginAllowed(request.headers, rules.allowOrigins)) {
    return { status: 403, body: 'requests from web pages are refused' };
  }
  if (rules.allowHosts !== undefined) {
    const hosts = rawHeaderValues(request.rawHeaders, 'host');
    if (!isHostAllowed(hosts, { allowHosts: rules.allowHosts })) {
      return { status: 403, body: 'host not allowed: use an IP address or localhost' };
    }
  }
  return undefined;
}

/** An answer, or undefined when the request is for the websocket. */
export function routeRequest(request: RequestHead, rules: RouteRules): HttpAnswer | undefined {
  const refusal = requestRefusal(request, rules);
  if (refusal !== undefined) return refusal;
  const path = request.url?.split('?', 1)[0];
  if (path !== undefined && (rules.servesPath ?? isRoot)(path)) return undefined;
  if (path === undefined || !HEALTH_PATHS.has(path))
    return { status: 404, ...(rules.otherPath === undefined ? {} : { body: rules.otherPath }) };
  const readOnly = request.method === 'GET' || request.method === 'HEAD';
  return readOnly ? { status: 200 } : { status: 405, headers: { Allow: 'GET,HEAD' } };
}

const isRoot = (path: string): boolean => path === '/';

/** For a plain request to the websocket's path. */
export const UPGRADE_REQUIRED: HttpAnswer = Object.freeze({
  status: 426,
  headers: { Upgrade: 'websocket' },
  body: 'this is a websocket endpoint: connect with a websocket client',
});

// Browsers always name the page's origin on a websocket handshake; other clients do not. So an Origin header means a web
// page is behind the request, and a page may not control this machine unless its origin was listed.
// Does not stop: a program that leaves the header out. That is what auth and the uid gate are for.

import type { IncomingHttpHeaders } from 'node:http';

export function isOriginAllowed(headers: IncomingHttpHeaders, allowOrigins: readonly string[]): boolean {
  const { origin } = headers;
  if (origin === undefined) return true;
  // `null` is what sandboxed frames and files send: it names no origin and is never allowed.
  return origin !== 'null' && allowOrigins.includes(origin);
}

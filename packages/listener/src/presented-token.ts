// The one token that a request presents: in the Authorization header or, for browsers, which cannot send that, as an
// offered websocket protocol. Nothing else carries one: cookies go to every port of a host, a query stands in logs (tickets do, see auth/url-ticket.ts).
// Does not stop: a proxy that logs protocol names. It sees the Authorization header as well.

import type { IncomingHttpHeaders } from 'node:http';
import { BEARER_PROTOCOL_PREFIX, tokenOfProtocol, WEB_SOCKET_PROTOCOL } from '@codex/exec-protocol';

export type PresentedToken =
  | { readonly ok: true; readonly authorization: string | undefined }
  | { readonly ok: false; readonly message: string };

/** As the value of an Authorization header, which is what an Authenticator judges. */
export function presentedToken(headers: IncomingHttpHeaders): PresentedToken {
  const { authorization, 'sec-websocket-protocol': offered = '' } = headers;
  const protocols = offered.split(',').map((name) => name.trim());
  const [carrier, ...others] = protocols.filter((name) => name.startsWith(BEARER_PROTOCOL_PREFIX));
  if (carrier === undefined) return { ok: true, authorization };
  if (others.length > 0 || authorization !== undefined) {
    return { ok: false, message: 'more than one websocket bearer token' };
  }
  const token = tokenOfProtocol(carrier);
  if (token === undefined) return { ok: false, message: 'malformed websocket bearer token' };
  // The answer names this one. Without it the only name left to answer with would be the token.
  if (!protocols.includes(WEB_SOCKET_PROTOCOL)) {
    const message = `a token that is offered as a websocket protocol needs \`${WEB_SOCKET_PROTOCOL}\` beside it`;
    return { ok: false, message };
  }
  return { ok: true, authorization: `Bearer ${token}` };
}

/** What to answer an offer with: never a name that the client made up. */
export function chosenProtocol(offered: ReadonlySet<string>): string | false {
  return offered.has(WEB_SOCKET_PROTOCOL) ? WEB_SOCKET_PROTOCOL : false;
}

// Names in `Sec-WebSocket-Protocol`. A browser's websocket can send no header of its own, but it can offer protocols: so a
// token may travel as one. The server answers with WEB_SOCKET_PROTOCOL and never repeats the token.
import { runtime } from './runtime.js';
import { decodeBase64, encodeBase64 } from './wire/base64.js';

/** What both ends speak: the only name that a server answers with. */
export const WEB_SOCKET_PROTOCOL = 'codex.exec-server.v1';

/** Followed by the token: its UTF-8 bytes in base64url without padding, because a protocol's name must be a plain word. */
export const BEARER_PROTOCOL_PREFIX = 'codex.bearer.';

/** Followed by a console's ticket as it is: a ticket is made of base64url characters only. */
export const TICKET_PROTOCOL_PREFIX = 'codex.ticket.';

/** What a client offers: `new WebSocket(url, offeredProtocols(token))`. */
export function offeredProtocols(token?: string): string[] {
  if (token === undefined) return [WEB_SOCKET_PROTOCOL];
  const base64 = encodeBase64(new runtime.TextEncoder().encode(token));
  const base64url = base64.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_');
  return [WEB_SOCKET_PROTOCOL, `${BEARER_PROTOCOL_PREFIX}${base64url}`];
}

/** The token of one offered protocol: undefined when it carries none that is well-formed. A token has one spelling. */
export function tokenOfProtocol(protocol: string): string | undefined {
  const base64url = protocol.slice(BEARER_PROTOCOL_PREFIX.length);
  if (!protocol.startsWith(BEARER_PROTOCOL_PREFIX) || !/^[\w-]+$/.test(base64url)) return undefined;
  const base64 = base64url.replaceAll('-', '+').replaceAll('_', '/');
  const bytes = decodeBase64(base64.padEnd(Math.ceil(base64.length / 4) * 4, '='));
  if (bytes === undefined) return undefined;
  try {
    return new runtime.TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

// Decides whether a client may open a websocket: with auth by its token; without it, on loopback, by the owner of the
// connecting socket: the same user (or root), seen outside of every sandbox.

import type { IncomingHttpHeaders } from 'node:http';
import type { Socket } from 'node:net';
import type { Authenticator, GrantedRights } from './auth/authenticator.js';
import type { UrlTicketAuth } from './auth/url-ticket.js';
import { isLoopbackAddress, plainAddress } from './gate/loopback.js';
import { lookUpPeerUid } from './gate/peer-uid-gate.js';
import { sandboxedPeerRefusal } from './gate/sandboxed-peer-gate.js';
import type { ConnectionEnds } from './gate/socket-table.js';
import type { HttpAnswer } from './http-answer.js';
import { presentedToken } from './presented-token.js';

export interface PeerDescription extends GrantedRights {
  readonly identity: string;
  readonly remoteAddress: string;
  /** The path that the websocket was asked for at, without its query. */
  readonly path?: string;
  /** The connecting socket's inode where the uid was looked up: names the process that holds it in /proc. */
  readonly socketInode?: number;
  /** Came with a ticket that has opened its session: it may come back to that, and open no other. */
  readonly mayOnlyResume?: boolean;
  /** For a console's page: what it comes back with. */
  issueReturnTicket?(): { readonly ticket: string; readonly expiresAtMs: number };
}

export interface AdmissionRules {
  readonly auth?: Authenticator | undefined;
  /** Judges `?ticket=` of the address; without it an address carries nothing. Needs `auth`. */
  readonly ticketAuth?: UrlTicketAuth | undefined;
  /** Undefined where the platform has no uid to compare, or no way to learn the peer's. */
  readonly ownUid?: number | undefined;
  /** One more opinion, asked last: a sentence refuses. */
  readonly screenPeer?:
    | ((peer: PeerDescription) => string | undefined | Promise<string | undefined>)
    | undefined;
}

interface AdmissionRequest {
  readonly socket: Socket;
  readonly headers: IncomingHttpHeaders;
  readonly url?: string | undefined;
}

export type Admission =
  | { readonly ok: true; readonly peer: PeerDescription }
  | { readonly ok: false; readonly answer: HttpAnswer };

export async function admit(request: AdmissionRequest, rules: AdmissionRules): Promise<Admission> {
  const ends = connectionEnds(request.socket);
  if (ends === undefined) return refuse(400, 'the connection is gone');
  return screened(await identify(ends, request, rules), rules);
}

/** Asks the one more opinion, where there is one. */
export async function screened(verdict: Admission, { screenPeer }: AdmissionRules): Promise<Admission> {
  if (!verdict.ok) return verdict;
  const objection = await screenPeer?.(verdict.peer);
  return objection === undefined ? verdict : refuse(403, objection);
}

async function identify(
  ends: ConnectionEnds,
  { headers, url }: AdmissionRequest,
  { auth, ticketAuth, ownUid }: AdmissionRules,
): Promise<Admission> {
  const remoteAddress = formatEndpoint(ends.remoteAddress, ends.remotePort);
  if (auth !== undefined) {
    const presented = presentedToken(headers);
    if (!presented.ok) return refuse(401, presented.message);
    const ticket = presented.authorization === undefined ? ticketOf(url) : undefined;
    if (ticketAuth !== undefined && ticket !== undefined) {
      const verdict = ticketAuth(ticket.ticket, ticket.path);
      if (!verdict.ok) return refuse(401, verdict.message);
      const { identity, mayOnlyResume } = verdict;
      return { ok: true, peer: { identity, remoteAddress, mayOnlyResume, grants: ['own'] } };
    }
    const verdict = auth(presented.authorization);
    if (!verdict.ok) return refuse(401, verdict.message);
    const { ok, ...who } = verdict;
    return { ok, peer: { ...who, remoteAddress } };
  }
  // A machine can reach its loopback listener only through loopback, so this is a second lock on the same door.
  if (!isLoopbackAddress(ends.remoteAddress))
    return refuse(403, 'only local connections are accepted without authentication');
  if (ownUid === undefined) return { ok: true, peer: { identity: 'local', remoteAddress } };
  const verdict = await lookUpPeerUid(ends, ownUid);
  if (!verdict.ok) return refuse(403, verdict.message);
  const sandboxed = await sandboxedPeerRefusal(verdict.inode);
  if (sandboxed !== undefined) return refuse(403, sandboxed);
  const { uid, inode } = verdict;
  // Root sees everything on its machine anyway.
  const rights = uid === 0 ? { seesOthers: true } : {};
  return { ok: true, peer: { identity: `local:${uid}`, remoteAddress, socketInode: inode, ...rights } };
}

function ticketOf(url = ''): { readonly ticket: string; readonly path: string } | undefined {
  const [path = '/', query = ''] = url.split('?', 2);
  const ticket = new URLSearchParams(query).get('ticket');
  return ticket === null ? undefined : { ticket, path };
}

function refuse(status: number, body: string): Admission {
  return { ok: false, answer: { status, body } };
}

export function connectionEnds(socket: Socket): ConnectionEnds | undefined {
  const { remoteAddress, remotePort, localAddress, localPort } = socket;
  if (remoteAddress === undefined || localAddress === undefined) return undefined;
  if (remotePort === undefined || localPort === undefined) return undefined;
  return {
    remoteAddress: plainAddress(remoteAddress),
    remotePort,
    localAddress: plainAddress(localAddress),
    localPort,
  };
}

export function formatEndpoint(address: string, port: number): string {
  return address.includes(':') ? `[${address}]:${port}` : `${address}:${port}`;
}

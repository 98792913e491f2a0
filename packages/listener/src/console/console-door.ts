// The console's part of a listener: its page for every browser that passes the gate, its websocket for one that also has a ticket.

import type { IncomingMessage } from 'node:http';
import { TICKET_PROTOCOL_PREFIX, WEB_SOCKET_PROTOCOL } from '@codex/exec-protocol';
import { type Admission, connectionEnds, formatEndpoint } from '../admission.js';
import type { ConsoleContext, ConsoleDoor } from '../console-route.js';
import { isLoopbackAddress } from '../gate/loopback.js';
import { lookUpPeerSocket } from '../gate/peer-uid-gate.js';
import type { HttpAnswer } from '../http-answer.js';
import {
  CONSOLE_PATH,
  CONSOLE_SOCKET_PATH,
  type ConsoleGateRules,
  consoleRefusal,
  consoleSocketRefusal,
  originOf,
} from './console-gate.js';
import { consoleHeaders } from './console-headers.js';
import { sandboxedBrowserRefusal } from './sandboxed-browser-gate.js';
import { StaticTable } from './static-table.js';
import type { TicketHolder, TicketOffice } from './ticket-office.js';

export interface ConsoleDoorOptions {
  /** Where the built page lies. */
  readonly folder: string;
  readonly runHost: string;
  readonly tickets: TicketOffice;
  readonly allowHosts?: readonly string[];
}

/** A page that was cut off, or is loaded anew, comes back with this. */
const RETURN_TTL_MS = 12 * 60 * 60 * 1000;

export async function openConsoleDoor(options: ConsoleDoorOptions): Promise<ConsoleDoor> {
  const table = await StaticTable.read(options.folder);
  const rulesOf = ({ port, isSecure }: ConsoleContext): ConsoleGateRules => ({
    runHost: options.runHost,
    allowHosts: options.allowHosts ?? [],
    port,
    isSecure,
  });
  return {
    answer: (request, context) => answerRequest(request, rulesOf(context), table),
    admit: (request, context) => admitSocket(request, rulesOf(context), { ...context, ...options }),
  };
}

async function answerRequest(
  request: IncomingMessage,
  rules: ConsoleGateRules,
  table: StaticTable,
): Promise<HttpAnswer> {
  const refusal = consoleRefusal(request, rules);
  if (refusal !== undefined) return refusal;
  const path = request.url?.split('?', 1)[0] ?? '';
  if (path === '/console') return { status: 308, headers: { Location: CONSOLE_PATH } };
  const acceptsBrotli = /\bbr\b/.test(String(request.headers['accept-encoding'] ?? ''));
  const answer = await table.answer(path.slice(CONSOLE_PATH.length), acceptsBrotli);
  if (answer === undefined) return { status: 404 };
  const headers = consoleHeaders(request.headers.host ?? '', rules.isSecure);
  return { ...answer, headers: { ...answer.headers, ...headers } };
}

async function admitSocket(
  request: IncomingMessage,
  rules: ConsoleGateRules,
  { tickets, ownUid }: { readonly tickets: TicketOffice; readonly ownUid: number | undefined },
): Promise<Admission> {
  if (request.url?.split('?', 1)[0] !== CONSOLE_SOCKET_PATH) return refuse(404, '');
  const answer = consoleSocketRefusal(request, rules);
  if (answer !== undefined) return { ok: false, answer };
  const ends = connectionEnds(request.socket);
  if (ends === undefined) return refuse(400, 'the connection is gone');
  // Before the ticket is looked at: one that leaked into a sandbox is not spent there, and opens nothing.
  let socketInode: number | undefined;
  if (ownUid !== undefined && isLoopbackAddress(ends.remoteAddress)) {
    const owner = await lookUpPeerSocket(ends);
    if (owner === undefined) return refuse(403, 'the owner of this loopback connection cannot be determined');
    const sandboxed = await sandboxedBrowserRefusal(owner.inode);
    if (sandboxed !== undefined) return refuse(403, sandboxed);
    socketInode = owner.inode;
  }
  const origin = originOf(request, rules);
  const holder = spend(request, tickets, origin);
  if (holder === undefined) return refuse(403, NO_TICKET);
  const remoteAddress = formatEndpoint(ends.remoteAddress, ends.remotePort);
  return {
    ok: true,
    peer: {
      ...holder,
      remoteAddress,
      issueReturnTicket: () => tickets.issue({ ...holder, origin, ttlMs: RETURN_TTL_MS }),
      ...(socketInode === undefined ? {} : { socketInode }),
    },
  };
}

const NO_TICKET =
  'no valid ticket: it may be used already, or too old; `exec-server console` makes a new one';

function spend(request: IncomingMessage, tickets: TicketOffice, origin: string): TicketHolder | undefined {
  const offered = String(request.headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim());
  const [carrier, ...others] = offered.filter((name) => name.startsWith(TICKET_PROTOCOL_PREFIX));
  // The answer names the plain protocol: without it the only name to answer with would be the ticket.
  if (carrier === undefined || others.length > 0 || !offered.includes(WEB_SOCKET_PROTOCOL)) return undefined;
  return tickets.redeem(carrier.slice(TICKET_PROTOCOL_PREFIX.length), origin);
}

function refuse(status: number, body: string): Admission {
  return { ok: false, answer: { status, body } };
}

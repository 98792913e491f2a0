// Tickets: how a page that has no credentials comes to be an observer.
import { Type } from '@sinclair/typebox';
import { Bound64, named, optional, refTo, U64 } from '../primitives.js';
import { Grant } from './observe.js';

export const ConsoleCreateTicketParams = named(
  'ConsoleCreateTicketParams',
  Type.Object({
    /** Never `own`, and never more than the caller has. Without them: observe, denials, stop. */
    grants: optional(Type.Array(refTo(Grant))),
    ttlMs: optional(Bound64),
  }),
);

export const ConsoleShareTicketResult = named(
  'ConsoleShareTicketResult',
  Type.Object({ ticket: Type.String() }),
);

export const ConsoleCreateTicketResult = named(
  'ConsoleCreateTicketResult',
  Type.Object({
    ticket: Type.String(),
    /** Where the page is, without the ticket; relative to the address of the server. */
    path: Type.String(),
    expiresAtMs: U64,
    grants: Type.Array(refTo(Grant)),
  }),
);

// `console/createTicket`: a client that may open sessions hands a page the right to watch. `console/shareTicket`: that page
// hands it to another of its tabs.
import { type Grant, invalidParams, methodNotFound, notPermitted } from '@codex/exec-protocol';
import type { Journal } from '../journal/journal.js';
import type { Access } from '../observe/access.js';
import type { Handlers, ObserverHandlers } from './handler-table.js';

/** Makes tickets and knows them again; the door brings one, because it is the door that takes them. */
export interface TicketIssuer {
  create(request: {
    readonly identity: string;
    readonly seesOthers: boolean;
    readonly grants: readonly Grant[];
    readonly ttlMs: number;
  }): { readonly ticket: string; readonly path: string; readonly expiresAtMs: number };
}

const USUAL_GRANTS: readonly Grant[] = ['observe', 'denials', 'stop'];
const USUAL_TTL_MS = 60_000;
const LONGEST_TTL_MS = 60 * 60 * 1000;

export function consoleHandlers(tickets: TicketIssuer | undefined, journal: Journal): Handlers {
  return {
    'console/createTicket': ({ grants = null, ttlMs }, { connection }) => {
      if (tickets === undefined) throw methodNotFound('console/createTicket');
      const { access } = connection;
      const asked = [...new Set(grants ?? USUAL_GRANTS)];
      refuseTooMuch(asked, access);
      const { identity, seesOthers } = access.admitted;
      const request = {
        identity,
        seesOthers,
        grants: asked,
        ttlMs: Math.min(ttlMs ?? USUAL_TTL_MS, LONGEST_TTL_MS),
      };
      const made = tickets.create(request);
      journal.record({ kind: 'ticketCreated', by: identity, grants: asked, expiresAtMs: made.expiresAtMs });
      return { ...made, grants: asked };
    },
  };
}

/** A page that was let in may let in another tab: with its own rights, bound to its origin, and not all the time. */
export function consoleSharingHandlers(journal: Journal): ObserverHandlers {
  return {
    'console/shareTicket': (_, { connection }) => {
      const { reconnectToken, access } = connection;
      // Who came in by another way has no ticket to share.
      if (reconnectToken === undefined) throw methodNotFound('console/shareTicket');
      connection.slice(SHARING).take();
      const { identity: by } = access;
      journal.record({ kind: 'ticketShared', by });
      return { ticket: reconnectToken() };
    },
  };
}

const SHARES_PER_MINUTE = 10;

const SHARING = {
  create: () => {
    let times: number[] = [];
    return {
      take: (): void => {
        const now = Date.now();
        times = times.filter((time) => now - time < 60_000);
        if (times.length >= SHARES_PER_MINUTE)
          throw notPermitted('too many tickets were shared within a minute');
        times.push(now);
      },
    };
  },
};

/** A link that is stolen can look and, at most, stop: it never starts a command. */
function refuseTooMuch(asked: readonly Grant[], access: Access): void {
  if (asked.includes('own')) throw invalidParams('a ticket never has the grant `own`');
  if (!asked.includes('observe')) throw invalidParams('a ticket without the grant `observe` opens nothing');
  const missing = asked.filter((grant) => !access.has(grant));
  if (missing.length > 0) {
    throw notPermitted(
      `a ticket has no more grants than who asks for it, which has not: ${missing.join(', ')}`,
    );
  }
}

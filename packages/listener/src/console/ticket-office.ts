// Tickets: secrets that open the console's websocket once. They are kept as digests, so that a dump of the memory shows
// none that could be used. A ticket has the identity of the connection that asked for it and at most its grants, never `own`: a
// stolen link can look and, where it was asked for, stop; it cannot start a command.
// Does not stop: a thief who reads a ticket and is faster than the browser. That is seen: the browser is refused then.

import { createHash, randomBytes } from 'node:crypto';
import type { Grant } from '@codex/exec-protocol';

/** The one grant that no ticket has: to start commands. */
const OWN = 'own';

export interface TicketHolder {
  readonly identity: string;
  readonly grants: readonly Grant[];
  readonly seesOthers?: boolean;
}

export interface TicketRequest extends TicketHolder {
  readonly ttlMs: number;
  /** Of a page that was here before: only that origin may use it. */
  readonly origin?: string;
}

export interface IssuedTicket {
  readonly ticket: string;
  readonly expiresAtMs: number;
}

interface Entry extends TicketHolder {
  readonly expiresAtMs: number;
  readonly origin: string | undefined;
}

const TICKET_BYTES = 32;
export const DEFAULT_MAX_TICKETS = 32;

export interface TicketOfficeOptions {
  readonly maxTickets?: number;
  readonly now?: () => number;
}

export class TicketOffice {
  // In order of issue.
  readonly #entries = new Map<string, Entry>();
  readonly #maxTickets: number;
  readonly #now: () => number;

  constructor({ maxTickets = DEFAULT_MAX_TICKETS, now = () => Date.now() }: TicketOfficeOptions = {}) {
    this.#maxTickets = maxTickets;
    this.#now = now;
  }

  /**
   * When there are too many the oldest goes, of the same identity if it has another: a person waits for the
   * new one, and frequent requests do not take away the tickets of others.
   */
  issue({ identity, grants, seesOthers = false, ttlMs, origin }: TicketRequest): IssuedTicket {
    this.#dropExpired();
    const ticket = randomBytes(TICKET_BYTES).toString('base64url');
    const expiresAtMs = this.#now() + ttlMs;
    const allowed = grants.filter((grant) => grant !== OWN);
    this.#entries.set(digest(ticket), { identity, grants: allowed, seesOthers, expiresAtMs, origin });
    if (this.#entries.size > this.#maxTickets) this.#dropOldest(identity);
    return { ticket, expiresAtMs };
  }

  /** Spends a ticket. One of another origin is spent too: it has been seen where it should not be. */
  redeem(ticket: string, origin: string): TicketHolder | undefined {
    const key = digest(ticket);
    const entry = this.#entries.get(key);
    this.#entries.delete(key);
    if (entry === undefined || entry.expiresAtMs <= this.#now()) return undefined;
    if (entry.origin !== undefined && entry.origin !== origin) return undefined;
    const { identity, grants, seesOthers = false } = entry;
    return seesOthers ? { identity, grants, seesOthers } : { identity, grants };
  }

  #dropOldest(identity: string): void {
    const [oldest] = this.#entries.keys();
    const own = [...this.#entries].filter(([, entry]) => entry.identity === identity);
    const goes = own.length > 1 ? own[0]?.[0] : oldest;
    if (goes !== undefined) this.#entries.delete(goes);
  }

  #dropExpired(): void {
    const now = this.#now();
    for (const [key, { expiresAtMs }] of this.#entries) if (expiresAtMs <= now) this.#entries.delete(key);
  }
}

// Looked up by its digest, a ticket that is nearly right takes as long as one that is not.
function digest(ticket: string): string {
  return createHash('sha256').update(ticket).digest('base64');
}

// The console of one server: the door that serves its page and takes its tickets, and the office that makes them.

import { type ConsoleDoor, isLoopbackListener } from '@codex/exec-listener';
import { newRunHost, openConsoleDoor, TicketOffice } from '@codex/exec-listener/console';
import { type Grant, notPermitted } from '@codex/exec-protocol';

export interface ConsoleOptions {
  /** Where the built page lies. */
  readonly folder: string;
  /** What tickets may be good for at most. */
  readonly maxGrants?: readonly Grant[];
  readonly allowHosts?: readonly string[];
  /** Whose ticket the first one is; without it no ticket is made before one is asked for. */
  readonly firstHolder?: { readonly identity: string; readonly seesOthers: boolean };
}

export interface ConsoleTicketRequest {
  readonly identity: string;
  readonly seesOthers: boolean;
  readonly grants: readonly Grant[];
  readonly ttlMs: number;
}

export interface ConsoleService {
  openDoor(): Promise<ConsoleDoor>;
  readonly tickets: {
    create(request: ConsoleTicketRequest): { ticket: string; path: string; expiresAtMs: number };
  };
  /** Addresses with a ticket in them, best first. Undefined when the ticket would have no owner. */
  firstAddresses(): readonly string[] | undefined;
}

const FIRST_TICKET_MS = 5 * 60 * 1000;
const FIRST_GRANTS: readonly Grant[] = ['observe', 'denials', 'stop', 'files', 'approve'];

export interface ConsoleAddress {
  /** The address that the server listens on, as its clients write it. */
  readonly url: string;
  /** Names below `localhost` lead to it, and nowhere else: what else listened there would be given the ticket by the browser. */
  readonly namesLeadHere: boolean;
}

export function createConsoleService(
  options: ConsoleOptions,
  { url, namesLeadHere }: ConsoleAddress,
): ConsoleService {
  const { folder, maxGrants, allowHosts = [], firstHolder } = options;
  const tickets = new TicketOffice();
  const runHost = newRunHost();
  const { protocol, port, hostname, host } = new URL(url);
  const hasName = namesLeadHere && isLoopbackListener(hostname);
  // Relative to the address of the server: another name of the same machine where that leads to it and is an origin of its own.
  const path = hasName ? `//${runHost}:${port}/console/` : '/console/';
  const scheme = protocol === 'wss:' ? 'https:' : 'http:';
  const capped = (grants: readonly Grant[]): readonly Grant[] =>
    maxGrants === undefined ? grants : grants.filter((grant) => maxGrants.includes(grant));
  return {
    openDoor: () => openConsoleDoor({ folder, runHost, tickets, allowHosts }),
    tickets: {
      create: (request) => {
        if (capped(request.grants).length < request.grants.length) {
          throw notPermitted(`tickets of this server have at most: ${(maxGrants ?? []).join(', ')}`);
        }
        return { ...tickets.issue(request), path };
      },
    },
    firstAddresses: () => {
      if (firstHolder === undefined) return undefined;
      const grants = capped(FIRST_GRANTS);
      const { ticket } = tickets.issue({ ...firstHolder, grants, ttlMs: FIRST_TICKET_MS });
      const places = hasName
        ? [`${scheme}${path}`, `${scheme}//${host}/console/`]
        : [`${scheme}//${host}/console/`];
      return places.map((place) => `${place}#${ticket}`);
    },
  };
}

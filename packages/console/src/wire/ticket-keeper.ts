// The page's secret: first the ticket of the address, then what each connection gives for the next one. It is kept for
// this tab alone, and the address is cleaned before anything else happens.

const KEY = 'exec-server.console.ticket';
const TICKET = /^#([\w-]{43})(\/.*)?$/;

/** Takes a ticket out of the address, where there is one. */
export function takeTicketFromAddress(): boolean {
  const match = TICKET.exec(location.hash);
  if (match === null) return false;
  sessionStorage.setItem(KEY, match[1] ?? '');
  history.replaceState(null, '', `${location.pathname}#${match[2] ?? '/'}`);
  return true;
}

export function keptTicket(): string | undefined {
  return sessionStorage.getItem(KEY) ?? undefined;
}

export function keepTicket(ticket: string | undefined): void {
  if (ticket === undefined) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, ticket);
}

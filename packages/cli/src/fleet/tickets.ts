// Tickets for the addresses of a gateway: made by `fleet ticket`, judged by `gateway --ticket-secret-file`.

import { resolve } from 'node:path';
import type { Authenticator } from '@codex/exec-listener';
import type { UrlTicketAuth } from '@codex/exec-listener/auth';
import { printText } from '../print-text.js';

export async function printTicket(flags: {
  readonly secretFile: string;
  readonly environment: string;
  readonly name?: string;
}): Promise<void> {
  const { signUrlTicket } = await import('@codex/exec-listener/auth');
  const { secretFile, environment, name } = flags;
  const ticket = signUrlTicket({
    secret: await secretOf(secretFile),
    audience: environment,
    ...(name === undefined ? {} : { subject: name }),
  });
  printText(`${ticket}\n`);
}

/** Undefined when the gateway takes no tickets. A ticket is for one environment. */
export async function ticketAuthFromFlags(
  { ticketSecretFile }: { readonly ticketSecretFile?: string },
  environmentOf: (path: string) => string | undefined,
): Promise<UrlTicketAuth | undefined> {
  if (ticketSecretFile === undefined) return undefined;
  const { urlTicketAuth } = await import('@codex/exec-listener/auth');
  return urlTicketAuth({ secret: await secretOf(ticketSecretFile), audienceOf: environmentOf });
}

/** For a gateway that was given no other way to authenticate. */
export const onlyTickets: Authenticator = () => ({ ok: false, message: 'a ticket is missing' });

async function secretOf(path: string): Promise<string> {
  const { readSecretFile } = await import('@codex/exec-listener/auth');
  return readSecretFile(resolve(path), 'ticket secret');
}

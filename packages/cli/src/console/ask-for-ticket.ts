// Asks a server for a ticket, as any client connects, and gives the address that holds it.

import { CodedError, type ConsoleCreateTicketResult, type Grant } from '@codex/exec-protocol';
import { RpcPeer } from '@codex/exec-rpc';
import { type ServerAddress, URL_VARIABLE } from '../connect/server-flags.js';

export class ConsoleError extends CodedError<'CONSOLE_UNAVAILABLE'> {
  constructor(message: string, cause?: unknown) {
    super('CONSOLE_UNAVAILABLE', message, { cause });
  }
}

export interface ConsoleAddress {
  /** With the ticket in its fragment. */
  readonly address: string;
  readonly expiresAtMs: number;
  readonly grants: readonly Grant[];
}

const TIMEOUT_MS = 10_000;
const METHOD_NOT_FOUND = -32601;

export async function askForTicket(
  { url, token }: ServerAddress,
  grants: readonly Grant[],
): Promise<ConsoleAddress> {
  if (url === undefined)
    throw new ConsoleError(`which server? Name it with --url ws://HOST:PORT, or in ${URL_VARIABLE}`);
  const { connectWebSocket } = await import('@codex/exec-rpc/ws');
  const channel = await connectWebSocket(url, token === undefined ? {} : { token });
  const peer = new RpcPeer(channel, {
    onRequest: ({ method }) => {
      throw new ConsoleError(`unexpected request ${method}`);
    },
    onNotification: () => undefined,
  });
  try {
    const options = { timeoutMs: TIMEOUT_MS };
    await peer.call('initialize', { clientName: 'exec-server console' }, options);
    peer.notify('initialized', {});
    const asked = await peer.call('console/createTicket', { grants }, options);
    const { ticket, path, expiresAtMs, grants: granted } = asked as ConsoleCreateTicketResult;
    const place = new URL(path, url.replace(/^ws/, 'http'));
    // It is given to the browser, which opens more than pages.
    if (place.protocol !== 'http:' && place.protocol !== 'https:')
      throw new ConsoleError(`the server says that its console is at ${place.href}, which is no page`);
    return { address: `${place.href}#${ticket}`, expiresAtMs, grants: granted };
  } catch (error) {
    if (Reflect.get(Object(error), 'code') === METHOD_NOT_FOUND) {
      throw new ConsoleError(
        `the server at ${new URL(url).host} has no console: start it with --console`,
        error,
      );
    }
    throw error;
  } finally {
    peer.close();
  }
}

// An observer of the server that the flags name. One in this process would have nothing to see.

import { ExecObserver, type ObserveOptions } from '@codex/exec-client';
import { ServerFlagError, type ServerFlags, serverAddress, URL_VARIABLE } from '../connect/server-flags.js';

export async function openObserver(
  flags: ServerFlags,
  options: ObserveOptions & { readonly clientName: string },
): Promise<ExecObserver> {
  const { url, token } = serverAddress(flags, process.env);
  if (url === undefined) {
    throw new ServerFlagError(`which server? Name it with --url ws://HOST:PORT, or in ${URL_VARIABLE}`);
  }
  const { connectWebSocket } = await import('@codex/exec-rpc/ws');
  const channel = () => connectWebSocket(url, token === undefined ? {} : { token });
  return ExecObserver.connect({ channel }, options);
}

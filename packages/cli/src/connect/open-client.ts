// Opens a client to the server that the flags name; without such flags, to a server inside this process that ends
// with the command.

import { type ConnectOptions, ExecServerClient } from '@codex/exec-client';
import type { Channel } from '@codex/exec-rpc';
import type { ExecServerRuntimePaths } from '../runtime-paths.js';
import type { ServerAddress } from './server-flags.js';

export interface OpenedClient {
  readonly client: ExecServerClient;
  /** Ends what the command left running where the server is in this process. */
  close(): Promise<void>;
}

export interface OpenOptions extends Pick<ConnectOptions, 'onEvent' | 'reconnect'> {
  readonly clientName: string;
  /** Stands between every channel and the client. */
  readonly wrap?: (channel: Channel) => Channel;
}

export async function openClient(
  address: ServerAddress,
  paths: ExecServerRuntimePaths,
  { wrap = (channel) => channel, ...options }: OpenOptions,
): Promise<OpenedClient> {
  if (address.url === undefined) return openLocal(paths, { wrap, ...options });
  const { connectWebSocket } = await import('@codex/exec-rpc/ws');
  const { url, token } = address;
  const channel = async () => wrap(await connectWebSocket(url, token === undefined ? {} : { token }));
  const client = await ExecServerClient.connect({ channel }, options);
  return { client, close: () => client.close() };
}

async function openLocal(
  paths: ExecServerRuntimePaths,
  { wrap, ...options }: OpenOptions & Required<Pick<OpenOptions, 'wrap'>>,
): Promise<OpenedClient> {
  const [{ ExecServer }, { createLauncher }] = await Promise.all([
    import('@codex/exec-server-core'),
    import('@codex/launcher'),
  ]);
  const { launcherProgram } = paths;
  const server = new ExecServer(
    launcherProgram === undefined ? {} : { launcher: createLauncher({ launcherProgram }) },
  );
  const client = await ExecServerClient.connect({ channel: wrap(server.connectInMemory()) }, options);
  return {
    client,
    close: async () => {
      await client.close();
      await server.shutdown();
    },
  };
}

// A server in this process behind a real websocket, and clients of it. Everything ends with the test, and a test that
// leaves a process behind fails.
import { WebSocketListener } from '@codex/exec-listener';
import type { KeepaliveOptions } from '@codex/exec-rpc/ws';
import { ExecServer, type ExecServerOptions } from '@codex/exec-server-core';
import { onTestFinished } from 'vitest';
import { RawClient } from './raw-client.js';

export interface ServedServer {
  readonly server: ExecServer;
  readonly url: string;
  /** A client that has gone through the handshake. */
  client(params?: Record<string, unknown>): Promise<RawClient>;
}

export async function serve(
  options: ExecServerOptions = {},
  keepalive: Partial<KeepaliveOptions> = {},
): Promise<ServedServer> {
  const server = new ExecServer({
    ...options,
    process: { shutdownGracePeriodMs: 200, ...options.process },
  });
  const listener = await WebSocketListener.listen({
    host: '127.0.0.1',
    port: 0,
    keepalive,
    onChannel: (channel, { identity }) => void server.accept(channel, { identity }),
  });
  onTestFinished(async () => {
    await server.shutdown();
    await listener.close(100);
  });
  return {
    server,
    url: listener.url,
    async client(params) {
      const client = await RawClient.connect(listener.url);
      onTestFinished(() => client.cut());
      await client.initialize(params);
      return client;
    },
  };
}

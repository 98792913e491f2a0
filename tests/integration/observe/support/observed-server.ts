// A server behind its websocket listener, with owners and observers on it.
import { ExecObserver, ExecServerClient, type ObserveOptions } from '@codex/exec-client';
import { WebSocketListener } from '@codex/exec-listener';
import { ExecServer, type ExecServerOptions } from '@codex/exec-server-core';

export interface ObservedServer extends AsyncDisposable {
  readonly server: ExecServer;
  readonly url: string;
  owner(clientName?: string): Promise<ExecServerClient>;
  observer(options?: ObserveOptions & { readonly at?: string }): Promise<ExecObserver>;
  /** The handle of the only session of that client. */
  handleOf(observer: ExecObserver, clientName: string): Promise<string>;
}

export async function observedServer(options: ExecServerOptions = {}): Promise<ObservedServer> {
  const server = new ExecServer(options);
  const listener = await WebSocketListener.listen({
    host: '127.0.0.1',
    port: 0,
    onChannel: (channel, { identity, seesOthers = false }) =>
      void server.accept(channel, { identity, seesOthers }),
  });
  const open: { close(): Promise<void> }[] = [];
  return {
    server,
    url: listener.url,
    owner: async (clientName = 'owner') => {
      const client = await ExecServerClient.connect(listener.url, { clientName });
      open.push(client);
      return client;
    },
    observer: async ({ at = listener.url, ...more } = {}) => {
      const observer = await ExecObserver.connect(at, { clientName: 'observer', ...more });
      open.push(observer);
      return observer;
    },
    handleOf: async (observer, clientName) => {
      const sessions = (await observer.sessions()).filter((session) => session.clientName === clientName);
      if (sessions.length !== 1) throw new Error(`${sessions.length} sessions of ${clientName}`);
      return sessions[0]?.session ?? '';
    },
    async [Symbol.asyncDispose]() {
      await Promise.allSettled(open.map((one) => one.close()));
      await server.shutdown();
      await listener.close();
    },
  };
}

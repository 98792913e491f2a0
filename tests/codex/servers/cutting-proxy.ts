// A TCP relay between the CLI and a server that loses connections on command.
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';

interface Relay {
  readonly client: Socket;
  readonly server: Socket;
}

export class CuttingProxy {
  readonly url: string;
  /** Connections that were ever relayed. */
  connections = 0;
  readonly #listener: Server;
  #closedUntil = 0;
  #target = new URL('ws://127.0.0.1');
  readonly #relays = new Set<Relay>();
  /** Sockets whose other half is gone; their peer learns nothing. */
  readonly #orphans = new Set<Socket>();

  private constructor(listener: Server) {
    this.#listener = listener;
    this.url = `ws://127.0.0.1:${(listener.address() as AddressInfo).port}`;
  }

  static async start(target: string): Promise<CuttingProxy> {
    const listener = createServer();
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    const proxy = new CuttingProxy(listener);
    proxy.leadTo(target);
    listener.on('connection', (client) => {
      if (performance.now() < proxy.#closedUntil) client.resetAndDestroy();
      else proxy.#relay(client, connect(Number(proxy.#target.port), proxy.#target.hostname));
    });
    return proxy;
  }

  /** From the next connection on. */
  leadTo(target: string): void {
    this.#target = new URL(target);
  }

  /** Both ends learn at once that the connection is gone. */
  cut(): void {
    for (const { client, server } of this.#relays) {
      client.resetAndDestroy();
      server.resetAndDestroy();
    }
  }

  /** Cuts every connection, and refuses new ones for a while. */
  outage(forMs: number): void {
    this.#closedUntil = performance.now() + forMs;
    this.cut();
  }

  /** Only the client learns; for the server the connection stays open and silent. */
  cutHalf(): void {
    for (const relay of this.#relays) {
      this.#relays.delete(relay);
      const { client, server } = relay;
      server.unpipe(client);
      client.unpipe(server);
      this.#orphans.add(server);
      client.resetAndDestroy();
    }
  }

  async close(): Promise<void> {
    this.cut();
    for (const socket of this.#orphans) socket.destroy();
    await new Promise((resolve) => this.#listener.close(resolve));
  }

  #relay(client: Socket, server: Socket): void {
    this.connections++;
    const relay = { client, server };
    this.#relays.add(relay);
    client.pipe(server);
    server.pipe(client);
    const end = () => {
      if (!this.#relays.delete(relay)) return;
      client.destroy();
      server.destroy();
    };
    for (const socket of [client, server]) {
      socket.setNoDelay(true);
      socket.on('error', end);
      socket.on('close', end);
    }
  }
}

// A stand-in on loopback for the service that OpenAI's program registers an exec-server with: a registry, and a relay that
// passes on what the two ends encrypt for each other.
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { type WebSocket, WebSocketServer } from 'ws';

const PROFILE = 'noise_hybrid_ik_v1';
const REGISTRATION = 'registration-1';

export class StandInRegistry {
  readonly url: string;
  readonly #server: Server;
  readonly #relay = new WebSocketServer({ noServer: true });
  readonly #ends = new Map<string, WebSocket>();
  #executorKey: unknown;
  #registered: () => void = () => undefined;
  /** Resolves when an executor has registered itself and waits at the relay. */
  readonly registered = new Promise<void>((resolve) => {
    this.#registered = resolve;
  });
  /** What was asked of it: `register` and `validate` by the executor, `connect` by the CLI. */
  readonly requests: string[] = [];

  private constructor(server: Server) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request, response) => {
      void this.#answer(request).then((body) => {
        response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      });
    });
    server.on('upgrade', (request, socket, head) => {
      this.#relay.handleUpgrade(request, socket, head, (end) => this.#join(request.url ?? '', end));
    });
  }

  static async start(): Promise<StandInRegistry> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return new StandInRegistry(server);
  }

  async close(): Promise<void> {
    for (const end of this.#ends.values()) end.terminate();
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage): Promise<object> {
    const [, id = '', what = ''] = /^\/cloud\/environment\/([^/]+)\/([^/]+)$/.exec(request.url ?? '') ?? [];
    const body = JSON.parse((await text(request)) || '{}') as Record<string, unknown>;
    this.requests.push(what);
    const common = { environment_id: id, security_profile: PROFILE, executor_registration_id: REGISTRATION };
    if (what === 'register') {
      this.#executorKey = body['executor_public_key'];
      return { ...common, url: this.#relayUrl('executor') };
    }
    if (what === 'connect') {
      return {
        ...common,
        url: this.#relayUrl('harness'),
        executor_public_key: this.#executorKey,
        harness_key_authorization: 'authorized',
      };
    }
    return { valid: true };
  }

  #relayUrl(end: 'executor' | 'harness'): string {
    return `${this.url.replace('http:', 'ws:')}/relay/${end}`;
  }

  #join(path: string, end: WebSocket): void {
    const other = path.endsWith('/executor') ? '/relay/harness' : '/relay/executor';
    this.#ends.set(path, end);
    end.on('message', (data, isBinary) => this.#ends.get(other)?.send(data, { binary: isBinary }));
    end.on('error', () => undefined);
    if (path.endsWith('/executor')) this.#registered();
  }
}

// An HTTP server with one page that a program makes, behind the same gates as the websocket: origin, host, and the token
// or, without one, the user at the other end of the loopback connection.

import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type AdmissionRules, admit, formatEndpoint } from './admission.js';
import { bindRefusal } from './gate/bind-rules.js';
import { isLoopbackAddress } from './gate/loopback.js';
import { HalfOpenSockets } from './half-open-sockets.js';
import { answerRequest, type HttpAnswer } from './http-answer.js';
import { type RouteRules, requestRefusal } from './http-routes.js';
import { createHttpServer } from './http-server.js';
import { listenFailed } from './listen-failed.js';
import { DEFAULT_LISTENER_LIMITS } from './listener-limits.js';
import { type Listening, listenByName } from './loopback-names.js';
import type { ListenerOptions } from './web-socket-listener.js';

export interface PageListenerOptions
  extends Pick<
    ListenerOptions,
    'host' | 'port' | 'auth' | 'tls' | 'insecurePlaintext' | 'allowHosts' | 'onRefused'
  > {
  readonly path: string;
  /** The page as it is now. */
  readonly page: () => string;
}

export class PageListener {
  readonly #options: PageListenerOptions;
  readonly #server: Server;
  readonly #halfOpen = new HalfOpenSockets(DEFAULT_LISTENER_LIMITS);
  readonly #routes: RouteRules;
  readonly #admission: AdmissionRules;
  #listening: Listening | undefined;

  /** Rejects with a ListenError when the options are unsafe or the address cannot be used. */
  static async listen(options: PageListenerOptions): Promise<PageListener> {
    const { host, auth, tls, insecurePlaintext = false } = options;
    const plan = {
      host,
      auth: auth !== undefined,
      tls: tls !== undefined,
      insecurePlaintext,
      allowOrigins: [],
    };
    const refusal = bindRefusal(plan);
    if (refusal !== undefined) throw refusal;
    const listener = new PageListener(options, await createHttpServer(DEFAULT_LISTENER_LIMITS, tls));
    await listener.#open();
    return listener;
  }

  private constructor(options: PageListenerOptions, server: Server) {
    const { host, auth, allowHosts = [] } = options;
    this.#options = options;
    this.#server = server;
    const isLocal = host === 'localhost' || isLoopbackAddress(host);
    this.#routes = { allowOrigins: [], allowHosts: isLocal ? allowHosts : undefined };
    this.#admission = { auth, ownUid: process.platform === 'linux' ? process.getuid?.() : undefined };
  }

  /** `http://127.0.0.1:9464/metrics` */
  get url(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    const scheme = this.#options.tls === undefined ? 'http' : 'https';
    return `${scheme}://${formatEndpoint(address, port)}${this.#options.path}`;
  }

  async close(): Promise<void> {
    this.#halfOpen.close();
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await Promise.all([closed, this.#listening?.close()]);
  }

  async #open(): Promise<void> {
    const server = this.#server;
    server.on('connection', (socket: Socket) => this.#halfOpen.add(socket));
    server.on('request', (request, response) => {
      void this.#answer(request).then((answer) => {
        if (answer.status >= 400) this.#report(request.socket, answer);
        answerRequest(response, answer);
      });
    });
    try {
      this.#listening = await listenByName(server, this.#options);
    } catch (cause) {
      this.#halfOpen.close();
      throw listenFailed(this.#options, cause);
    }
    server.on('error', ({ message }) =>
      this.#options.onRefused?.({ status: 503, reason: message, remoteAddress: 'unknown' }),
    );
  }

  async #answer(request: IncomingMessage): Promise<HttpAnswer> {
    const refusal = requestRefusal(request, this.#routes);
    if (refusal !== undefined) return refusal;
    if (request.url?.split('?', 1)[0] !== this.#options.path) return { status: 404 };
    if (request.method !== 'GET') return { status: 405, headers: { Allow: 'GET' } };
    try {
      const admission = await admit(request, this.#admission);
      return admission.ok ? { status: 200, body: this.#options.page() } : admission.answer;
    } catch {
      return { status: 503, body: 'the server cannot tell who connects' };
    }
  }

  #report(socket: Socket, { status, body = '' }: HttpAnswer): void {
    const remoteAddress = formatEndpoint(socket.remoteAddress ?? 'unknown', socket.remotePort ?? 0);
    this.#options.onRefused?.({ status, reason: String(body), remoteAddress });
  }
}

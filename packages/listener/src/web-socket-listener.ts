// An HTTP server whose only purpose is to turn admitted upgrade requests into channels. It knows no protocol above that.

import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Channel } from '@codex/exec-rpc';
import {
  CLOSE_GOING_AWAY,
  CLOSE_INTERNAL,
  type KeepaliveOptions,
  WebSocketChannel,
} from '@codex/exec-rpc/ws-channel';
import type { WebSocketServer } from 'ws';
import {
  type Admission,
  type AdmissionRules,
  admit,
  formatEndpoint,
  type PeerDescription,
  screened,
} from './admission.js';
import type { Authenticator } from './auth/authenticator.js';
import type { UrlTicketAuth } from './auth/url-ticket.js';
import { type ConsoleContext, type ConsoleDoor, isConsoleRequest } from './console-route.js';
import { bindRefusal } from './gate/bind-rules.js';
import { isLoopbackListener } from './gate/loopback.js';
import { HalfOpenSockets } from './half-open-sockets.js';
import { answerRequest, answerUpgrade, type HttpAnswer } from './http-answer.js';
import { type RouteRules, routeRequest, UPGRADE_REQUIRED } from './http-routes.js';
import { createHttpServer, type TlsOptions } from './http-server.js';
import { listenFailed } from './listen-failed.js';
import { DEFAULT_LISTENER_LIMITS, type ListenerLimits } from './listener-limits.js';
import { type Listening, listenByName } from './loopback-names.js';
import { chosenProtocol } from './presented-token.js';
import { UnfinishedMessages } from './unfinished-messages.js';

export interface ListenerOptions {
  /** IP literal or `localhost`. */
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  /** Called for every admitted connection; the channel is paused until it is started. */
  onChannel(channel: Channel, peer: PeerDescription): void;
  readonly auth?: Authenticator;
  /** Lets clients in by `?ticket=` of their address, beside `auth`. */
  readonly ticketAuth?: UrlTicketAuth;
  readonly tls?: TlsOptions;
  readonly insecurePlaintext?: boolean;
  readonly allowOrigins?: readonly string[];
  /** Names besides IP addresses and `localhost` that a loopback listener answers to. */
  readonly allowHosts?: readonly string[];
  readonly limits?: Partial<ListenerLimits>;
  readonly keepalive?: Partial<KeepaliveOptions>;
  /** Paths at which a websocket is served. Default: `/` only. */
  readonly servesPath?: (path: string) => boolean;
  /** What is said to whoever asks for another path. */
  readonly otherPath?: string;
  readonly screenPeer?: AdmissionRules['screenPeer'];
  /** The page below /console/; opened when a first request asks for it. Without it there is none. */
  openConsole?(): Promise<ConsoleDoor>;
  /** For logs and metrics. Holds no token. */
  onRefused?(refusal: {
    readonly status: number;
    readonly reason: string;
    readonly remoteAddress: string;
  }): void;
}

interface Upgrade {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  readonly head: Buffer;
}

const DEFAULT_CLOSE_GRACE_MS = 2000;

export class WebSocketListener {
  readonly #options: ListenerOptions;
  readonly #limits: ListenerLimits;
  readonly #server: Server;
  readonly #halfOpen: HalfOpenSockets;
  readonly #routes: RouteRules;
  readonly #admission: AdmissionRules;
  readonly #channels = new Set<WebSocketChannel>();
  readonly #unfinished: UnfinishedMessages;
  #listening: Listening | undefined;
  #console: Promise<ConsoleDoor> | undefined;
  #webSockets: Promise<WebSocketServer> | undefined;
  #closing: Promise<void> | undefined;
  #lastGone: (() => void) | undefined;

  /** Rejects with a ListenError when the options are unsafe or the address cannot be used. */
  static async listen(options: ListenerOptions): Promise<WebSocketListener> {
    const refusal = bindRefusal({
      host: options.host,
      auth: options.auth !== undefined,
      tls: options.tls !== undefined,
      insecurePlaintext: options.insecurePlaintext ?? false,
      allowOrigins: options.allowOrigins ?? [],
    });
    if (refusal !== undefined) throw refusal;
    const limits = { ...DEFAULT_LISTENER_LIMITS, ...options.limits };
    const listener = new this(options, limits, await createHttpServer(limits, options.tls));
    await listener.#open();
    return listener;
  }

  private constructor(options: ListenerOptions, limits: ListenerLimits, server: Server) {
    const { host, auth, ticketAuth, screenPeer } = options;
    this.#options = options;
    this.#limits = limits;
    this.#server = server;
    this.#halfOpen = new HalfOpenSockets(limits);
    this.#unfinished = new UnfinishedMessages(limits.maxUnfinishedBytes);
    const local = isLoopbackListener(host);
    this.#routes = {
      allowOrigins: options.allowOrigins ?? [],
      allowHosts: local ? (options.allowHosts ?? []) : undefined,
      servesPath: options.servesPath,
      otherPath: options.otherPath,
    };
    const ownUid = process.platform === 'linux' ? process.getuid?.() : undefined;
    this.#admission = { auth, ticketAuth, ownUid, screenPeer };
  }

  /** `ws://127.0.0.1:41234` */
  get url(): string {
    const { address, port } = this.#server.address() as AddressInfo;
    return `${this.#options.tls === undefined ? 'ws' : 'wss'}://${formatEndpoint(address, port)}`;
  }

  /** `localhost` and the names below it lead to this listener alone. Not so where another program has the port on the other loopback. */
  get namesLeadHere(): boolean {
    return this.#listening?.namesLeadHere ?? false;
  }

  get connectionCount(): number {
    return this.#channels.size;
  }

  /** Says goodbye (1001) to every connection, waits for the grace period, ends the rest. */
  close(graceMs = DEFAULT_CLOSE_GRACE_MS): Promise<void> {
    this.#closing ??= this.#shutDown(graceMs);
    return this.#closing;
  }

  async #open(): Promise<void> {
    const server = this.#server;
    server.on('connection', (socket: Socket) => this.#halfOpen.add(socket));
    server.on('request', (request, response) => {
      const answer = this.#consoleFor(request)?.then((door) => door.answer(request, this.#consoleContext()));
      const plain = (): HttpAnswer => routeRequest(request, this.#routes) ?? UPGRADE_REQUIRED;
      void (answer ?? Promise.resolve(plain()))
        .catch((error: unknown): HttpAnswer => ({ status: 500, body: String(error) }))
        .then((found) => {
          if (found.status >= 400) this.#report(request.socket, found);
          answerRequest(response, found);
        });
    });
    server.on('upgrade', (request, socket, head) => {
      socket.on('error', () => socket.destroy());
      void this.#upgrade(request, socket, head);
    });
    try {
      this.#listening = await listenByName(server, this.#options);
    } catch (cause) {
      this.#halfOpen.close();
      throw listenFailed(this.#options, cause);
    }
    // From here on an error is one connection that could not be accepted, e.g. for want of file descriptors.
    server.on('error', ({ message }) =>
      this.#options.onRefused?.({ status: 503, reason: message, remoteAddress: 'unknown' }),
    );
    // Loading takes tens of milliseconds: not before the address is known, and before the first client needs it.
    setImmediate(() => void this.#loadWebSockets().catch(() => undefined));
  }

  async #upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    try {
      const answer = await this.#answerUpgrade(request, socket, head);
      if (answer === undefined) return;
      if (answer.status >= 400) this.#report(request.socket, answer);
      answerUpgrade(socket, answer);
    } catch (error) {
      // For want of descriptors, as a rule: the client may try again.
      this.#report(request.socket, {
        status: 503,
        body: error instanceof Error ? error.message : String(error),
      });
      answerUpgrade(socket, { status: 503, body: 'the server cannot tell who connects' });
    }
  }

  async #answerUpgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
  ): Promise<HttpAnswer | undefined> {
    const door = await this.#consoleFor(request);
    if (door !== undefined) {
      const admission = await door.admit(request, this.#consoleContext());
      return this.#accept({ request, socket, head }, await screened(admission, this.#admission));
    }
    const answer = routeRequest(request, this.#routes);
    return answer ?? this.#accept({ request, socket, head }, await admit(request, this.#admission));
  }

  #consoleFor(request: IncomingMessage): Promise<ConsoleDoor> | undefined {
    if (!isConsoleRequest(request)) return undefined;
    this.#console ??= this.#options.openConsole?.();
    return this.#console;
  }

  #consoleContext(): ConsoleContext {
    const { port } = this.#server.address() as AddressInfo;
    return { port, isSecure: this.#options.tls !== undefined, ownUid: this.#admission.ownUid };
  }

  async #accept({ request, socket, head }: Upgrade, admission: Admission): Promise<HttpAnswer | undefined> {
    if (!admission.ok) return admission.answer;
    const webSockets = await this.#loadWebSockets();
    if (this.#closing !== undefined) return { status: 503, body: 'the server is shutting down' };
    const { maxConnections } = this.#limits;
    if (this.#channels.size >= maxConnections) {
      return { status: 503, body: `too many connections (limit ${maxConnections})` };
    }
    if (socket.destroyed) return undefined;
    webSockets.handleUpgrade(request, socket, head, (webSocket) => {
      this.#halfOpen.promote(request.socket);
      const label = `exec-server websocket ${admission.peer.remoteAddress}`;
      const { keepalive = {} } = this.#options;
      const channel = new WebSocketChannel({
        webSocket,
        socket: request.socket,
        label,
        side: 'server',
        keepalive,
      });
      this.#channels.add(channel);
      this.#unfinished.watch(channel, admission.peer.identity);
      webSocket.once('close', () => {
        this.#channels.delete(channel);
        this.#unfinished.forget(channel);
        if (this.#channels.size === 0) this.#lastGone?.();
      });
      const path = request.url?.split('?', 1)[0] ?? '/';
      this.#hand(channel, { ...admission.peer, path });
    });
    return undefined;
  }

  // An owner that fails must not take the listener, or other connections, with it.
  #hand(channel: WebSocketChannel, peer: PeerDescription): void {
    try {
      this.#options.onChannel(channel, peer);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#options.onRefused?.({ status: 500, reason, remoteAddress: peer.remoteAddress });
      channel.close(CLOSE_INTERNAL, 'internal error');
    }
  }

  #loadWebSockets(): Promise<WebSocketServer> {
    this.#webSockets ??= import('ws').then(({ WebSocketServer: Server }) => {
      const options = {
        noServer: true,
        clientTracking: false,
        perMessageDeflate: false,
        handleProtocols: chosenProtocol,
        maxPayload: this.#limits.maxMessageBytes,
        // The channel checks text and binary messages alike, and answers pings itself.
        skipUTF8Validation: true,
        autoPong: false,
        closeTimeout: DEFAULT_CLOSE_GRACE_MS,
      };
      return new Server(options);
    });
    return this.#webSockets;
  }

  #report(socket: Socket, { status, body = '' }: HttpAnswer): void {
    const remoteAddress = formatEndpoint(socket.remoteAddress ?? 'unknown', socket.remotePort ?? 0);
    this.#options.onRefused?.({ status, reason: String(body), remoteAddress });
  }

  async #shutDown(graceMs: number): Promise<void> {
    const stopped = Promise.all([
      new Promise<void>((resolve) => this.#server.close(() => resolve())),
      this.#listening?.close(),
    ]);
    this.#halfOpen.close();
    for (const channel of this.#channels) channel.close(CLOSE_GOING_AWAY, 'the server is shutting down');
    const timer = setTimeout(() => {
      for (const channel of this.#channels) channel.terminate('the server is shutting down');
    }, graceMs);
    await stopped;
    // The sockets are gone by then; their channels learn of it a little later.
    if (this.#channels.size > 0) {
      await new Promise<void>((resolve) => {
        this.#lastGone = resolve;
      });
    }
    clearTimeout(timer);
  }
}

// One connection: the handshake, and the way of a request from the peer to its handler and back.
import {
  alreadyInitialized,
  type ClientRequestMethod,
  type EnvironmentInfo,
  type InitializeParams,
  type InitializeResult,
  invalidParams,
  invalidRequest,
  isClientRequest,
  METHODS,
  methodNotFound,
  notAcknowledged,
  notInitialized,
  PAYLOAD_MEMBERS,
  sessionResumedElsewhere,
  unexpectedNotification,
} from '@codex/exec-protocol';
import { validateParams } from '@codex/exec-protocol/validate-params';
import {
  type Channel,
  type ChannelClose,
  type IncomingRequest,
  type RpcLimits,
  RpcPeer,
} from '@codex/exec-rpc';
import type { Handlers } from './handlers/handler-table.js';
import type { Logger } from './logger.js';
import type { ConnectionScope, RequestContext, SliceKey } from './request-context.js';
import type { Session } from './session/session.js';
import type { SessionRegistry } from './session/session-registry.js';

export interface ConnectionOptions {
  readonly id: number;
  readonly channel: Channel;
  readonly identity: string;
  readonly handlers: Handlers;
  readonly sessions: SessionRegistry;
  readonly describeEnvironment: () => Promise<EnvironmentInfo>;
  readonly limits: RpcLimits;
  readonly logger: Logger;
}

/** What one connection's requests may take of a turn of the event loop while other connections wait. */
const MAX_TURN_MS = 5;

type Handshake =
  | { readonly phase: 'new' }
  | { readonly phase: 'initialized-missing'; readonly session: Session }
  | { readonly phase: 'ready'; readonly session: Session };

export class Connection implements ConnectionScope {
  readonly id: number;
  readonly identity: string;
  readonly peer: RpcPeer;
  readonly closed: Promise<ChannelClose>;
  lifecycleNotifications = false;
  clientName = '';

  readonly #options: ConnectionOptions;
  readonly #abort = new AbortController();
  readonly #slices = new Map<SliceKey<unknown>, unknown>();
  #handshake: Handshake = { phase: 'new' };
  /** While a session is being opened, everything behind `initialize` waits, as if messages were handled one by one. */
  #opening: Promise<unknown> | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.id = options.id;
    this.identity = options.identity;
    this.peer = new RpcPeer(options.channel, {
      onRequest: (request) => this.#inTurn(() => this.#handleRequest(request)),
      onNotification: ({ method }) => this.#inTurn(() => this.#handleNotification(method)),
      limits: options.limits,
      maxTurnMs: MAX_TURN_MS,
      payloadMembers: PAYLOAD_MEMBERS,
      logger: {
        error: (what, error) =>
          options.logger.error(what, { connection: options.id, error: describeError(error) }),
      },
    });
    this.closed = this.peer.closed.then((info) => {
      this.#end();
      return info;
    });
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  slice<T>(key: SliceKey<T>): T {
    if (!this.#slices.has(key)) this.#slices.set(key, key.create(this));
    return this.#slices.get(key) as T;
  }

  /** Asks the peer for a sign of life. */
  probe(timeoutMs: number): Promise<boolean> {
    return this.#options.channel.probe(timeoutMs);
  }

  close(code?: number, reason?: string): void {
    this.peer.close(code, reason);
  }

  #inTurn<T>(action: () => T): T | Promise<T> {
    return this.#opening === undefined ? action() : this.#opening.then(action);
  }

  #handleRequest(request: IncomingRequest): unknown {
    const { method, params } = request;
    if (!isClientRequest(method)) throw methodNotFound(method);
    const check = validateParams(method, params);
    if (!check.ok) throw invalidParams(check.message);
    if (method === 'initialize') return this.#initialize(params as InitializeParams);
    const handler = this.#options.handlers[method];
    if (handler === undefined) throw methodNotFound(method);
    const context: RequestContext = {
      session: this.#readySession(method),
      connection: this,
      payload: request.payload,
      afterReply: (action) => request.afterReply(action),
    };
    return handler(params as never, context);
  }

  #initialize(params: InitializeParams): Promise<InitializeResult> {
    if (this.#handshake.phase !== 'new') throw alreadyInitialized();
    const result = this.#openSession(params);
    const settled = () => {
      this.#opening = undefined;
    };
    this.#opening = result.then(settled, settled);
    return result;
  }

  async #openSession(params: InitializeParams): Promise<InitializeResult> {
    this.clientName = params.clientName;
    this.lifecycleNotifications = params.lifecycleNotifications === true;
    const environmentInfo = await this.#options.describeEnvironment();
    const session = await this.#options.sessions.open(params, this);
    this.#handshake = { phase: 'initialized-missing', session };
    // Its processes end with its connection, so that is not given up lightly.
    if (!session.isResumable) this.#options.channel.tolerateSilence?.();
    if (this.signal.aborted) session.detach(this);
    return { sessionId: session.id, environmentInfo };
  }

  #handleNotification(method: string): void {
    if (method !== 'initialized') throw unexpectedNotification(method);
    switch (this.#handshake.phase) {
      case 'initialized-missing':
        this.#handshake = { phase: 'ready', session: this.#handshake.session };
        return;
      case 'ready':
        return;
      case 'new':
        throw invalidRequest('client must call initialize before sending initialized');
    }
  }

  #readySession(method: ClientRequestMethod): Session {
    const { family } = METHODS[method];
    switch (this.#handshake.phase) {
      case 'new':
        throw notInitialized(family);
      case 'initialized-missing':
        throw notAcknowledged(family);
      case 'ready': {
        const { session } = this.#handshake;
        if (!session.isAttachedTo(this)) {
          throw sessionResumedElsewhere();
        }
        return session;
      }
    }
  }

  #end(): void {
    if ('session' in this.#handshake) this.#handshake.session.detach(this);
    this.#abort.abort();
  }
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

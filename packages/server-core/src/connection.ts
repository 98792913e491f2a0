// One connection: performs the handshake and passes requests from the peer to their handlers.
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
  notPermitted,
  type ObserveAckNotification,
  PAYLOAD_MEMBERS,
  REQUEST_LIMITS,
  type RpcError,
  sessionResumedElsewhere,
  unexpectedNotification,
} from '@codex/exec-protocol';
import { validateParams } from '@codex/exec-protocol/validate-params';
import {
  type Channel,
  type ChannelClose,
  CLOSE_LEFT,
  type IncomingRequest,
  type RpcLimits,
  RpcPeer,
} from '@codex/exec-rpc';
import type { Handlers, ObserverHandlers } from './handlers/handler-table.js';
import type { Logger } from './logger.js';
import type { Access } from './observe/access.js';
import { measured, type RequestInstrument } from './observe/instruments.js';
import type { Observation } from './observe/observation.js';
import type { Observer } from './observe/observer.js';
import type { ConnectionScope, RequestContext, SliceKey } from './request-context.js';
import type { Session } from './session/session.js';
import type { SessionRegistry } from './session/session-registry.js';

export interface ConnectionOptions {
  readonly id: number;
  readonly channel: Channel;
  readonly access: Access;
  /** To a page that came with a ticket: what opens its next connection. */
  readonly reconnectToken?: (() => string) | undefined;
  readonly handlers: Handlers;
  readonly observerHandlers: ObserverHandlers;
  readonly observation: Observation;
  readonly sessions: SessionRegistry;
  readonly describeEnvironment: () => Promise<EnvironmentInfo>;
  /** What measures requests; empty as a rule. */
  readonly instruments: readonly RequestInstrument[];
  readonly limits: RpcLimits;
  readonly logger: Logger;
  /** The handshake has succeeded: a session, or an observer. */
  readonly onInitialized?: () => void;
  /** Came in to take a session up, and for nothing else. */
  readonly mustResume?: boolean;
}

/** What one connection's requests may take of a turn of the event loop while other connections wait. */
const MAX_TURN_MS = 5;

/** What a connection is for: its own session, or the watching of others. */
type Role =
  | { readonly session: Session; readonly observer?: undefined }
  | { readonly observer: Observer; readonly session?: undefined };

type Handshake =
  | { readonly phase: 'new' }
  | { readonly phase: 'initialized-missing'; readonly role: Role }
  | { readonly phase: 'ready'; readonly role: Role };

export class Connection implements ConnectionScope {
  readonly id: number;
  readonly identity: string;
  readonly access: Access;
  readonly peer: RpcPeer;
  readonly closed: Promise<ChannelClose>;
  lifecycleNotifications = false;
  interventions = false;
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
    this.access = options.access;
    this.identity = options.access.identity;
    this.peer = new RpcPeer(options.channel, {
      onRequest: (request) => this.#inTurn(() => this.#measure(request)),
      onNotification: ({ method, params }) => this.#inTurn(() => this.#handleNotification(method, params)),
      limits: options.limits,
      maxTurnMs: MAX_TURN_MS,
      payloadMembers: PAYLOAD_MEMBERS,
      requestLimits: REQUEST_LIMITS,
      logger: {
        error: (what, error) =>
          options.logger.error(what, { connection: options.id, error: describeError(error) }),
      },
    });
    this.closed = this.peer.closed.then((info) => {
      this.#end(info);
      return info;
    });
  }

  get heardAt(): number | undefined {
    return this.#options.channel.heardAt;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  get session(): Session | undefined {
    return 'role' in this.#handshake ? this.#handshake.role.session : undefined;
  }

  get reconnectToken(): (() => string) | undefined {
    return this.#options.reconnectToken;
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

  #measure(request: IncomingRequest): unknown {
    const { instruments } = this.#options;
    if (instruments.length === 0) return this.#handleRequest(request);
    const { method, params, trace } = request;
    const session = 'role' in this.#handshake ? this.#handshake.role.session?.handle : undefined;
    return measured(instruments, { method, params, trace, session }, () => this.#handleRequest(request));
  }

  #handleRequest(request: IncomingRequest): unknown {
    const { method, params } = request;
    if (!isClientRequest(method)) throw methodNotFound(method);
    // Before anything of the request is looked at.
    if (this.#observer !== undefined) this.#refuseUngranted(method);
    const check = validateParams(method, params);
    if (!check.ok) throw invalidParams(check.message);
    if (method === 'initialize') return this.#initialize(params as InitializeParams);
    const role = this.#ready(method);
    if (method === 'environment/info') return this.#describeEnvironment();
    if (role.observer !== undefined) return this.#observe(request, method, role.observer);
    const handler = this.#options.handlers[method];
    if (handler === undefined) throw this.#refusal(method);
    const context: RequestContext = {
      session: this.#attached(role.session),
      connection: this,
      payload: request.payload,
      afterReply: (action) => request.afterReply(action),
    };
    return handler(params as never, context);
  }

  /** An observer has the methods of its grants, and those that ask for nothing. */
  #refuseUngranted(method: ClientRequestMethod): void {
    const { grant } = METHODS[method];
    if (grant === 'anyone') return;
    if (grant === 'own')
      throw notPermitted(`an observer may not call ${method}: it has no session of its own`);
    if (!this.access.has(grant)) {
      throw notPermitted(`${method} needs the grant \`${grant}\`, which this connection does not have`);
    }
  }

  #observe(request: IncomingRequest, method: ClientRequestMethod, observer: Observer): unknown {
    const { pacer } = this.#options.observation;
    const work = (): unknown => this.#observeNow(request, method, observer);
    // A request that stops a command does not queue behind requests that only look.
    return 'changes' in METHODS[method] ? work() : pacer.run(work);
  }

  #observeNow(request: IncomingRequest, method: ClientRequestMethod, observer: Observer): unknown {
    const { handlers, observerHandlers } = this.#options;
    if (METHODS[method].grant === 'anyone')
      return handlers[method]?.(request.params as never, undefined as never);
    const handler = observerHandlers[method];
    if (handler === undefined) throw methodNotFound(method);
    const afterReply = (action: () => void): void => request.afterReply(action);
    return handler(request.params as never, { observer, connection: this, afterReply });
  }

  /** For a method that the role of this connection does not have. */
  #refusal(method: ClientRequestMethod): RpcError {
    if (this.#options.observerHandlers[method] === undefined) return methodNotFound(method);
    return notPermitted(`${method} is for observers: initialize with the role "observer"`);
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
    this.interventions = params.interventions === true;
    const environmentInfo = await this.#describeEnvironment();
    if (params.role === 'observer') {
      this.#useBinary(params);
      return this.#becomeObserver(environmentInfo);
    }
    if (!this.access.admitted.grants.includes('own')) {
      throw notPermitted('this connection may not open a session: initialize with the role "observer"');
    }
    if (this.#options.mustResume === true && params.resumeSessionId == null) {
      throw invalidRequest('this connection was let in to take a session up: resumeSessionId is missing');
    }
    const session = await this.#options.sessions.open(params, this);
    this.#useBinary(params);
    this.#handshake = { phase: 'initialized-missing', role: { session } };
    this.#options.onInitialized?.();
    // Its processes end with its connection, so that is not given up lightly.
    if (!session.isResumable) this.#options.channel.tolerateSilence?.();
    if (this.signal.aborted) session.detach(this);
    return { sessionId: session.id, environmentInfo };
  }

  #useBinary({ binaryPayloads }: InitializeParams): void {
    if (binaryPayloads !== true) return;
    this.peer.acceptBinary();
    this.peer.sendBinary();
  }

  /** What this host is and can do, and what this connection carries. */
  async #describeEnvironment(): Promise<EnvironmentInfo> {
    const info = await this.#options.describeEnvironment();
    const binaryPayloads = this.peer.canUseBinary;
    return { ...info, capabilities: { ...info.capabilities, binaryPayloads } };
  }

  #becomeObserver(environmentInfo: EnvironmentInfo): InitializeResult {
    const { observation, reconnectToken } = this.#options;
    const observer = observation.join(this);
    this.#handshake = { phase: 'initialized-missing', role: { observer } };
    this.#options.onInitialized?.();
    if (this.signal.aborted) observation.leave(observer);
    return {
      sessionId: '',
      environmentInfo,
      grants: [...this.access.observerGrants],
      ...(reconnectToken === undefined ? {} : { reconnectToken: reconnectToken() }),
    };
  }

  #handleNotification(method: string, params: unknown): void {
    if (method === 'observe/ack') {
      this.#acknowledge(params);
      return;
    }
    if (method !== 'initialized') throw unexpectedNotification(method);
    switch (this.#handshake.phase) {
      case 'initialized-missing':
        this.#handshake = { phase: 'ready', role: this.#handshake.role };
        return;
      case 'ready':
        return;
      case 'new':
        throw invalidRequest('client must call initialize before sending initialized');
    }
  }

  #acknowledge(params: unknown): void {
    const check = validateParams('observe/ack', params);
    if (!check.ok) throw invalidParams(check.message);
    const { watch, seq } = params as ObserveAckNotification;
    const observer = this.#observer;
    if (observer === undefined) throw unexpectedNotification('observe/ack');
    // One that is over may still be acknowledged by what is on its way.
    observer.watch(watch)?.acknowledge(seq);
  }

  get #observer(): Observer | undefined {
    return 'role' in this.#handshake ? this.#handshake.role.observer : undefined;
  }

  #attached(session: Session): Session {
    if (!session.isAttachedTo(this)) throw sessionResumedElsewhere();
    return session;
  }

  #ready(method: ClientRequestMethod): Role {
    const { family } = METHODS[method];
    switch (this.#handshake.phase) {
      case 'new':
        throw notInitialized(family);
      case 'initialized-missing':
        throw notAcknowledged(family);
      case 'ready':
        return this.#handshake.role;
    }
  }

  #end({ code }: ChannelClose): void {
    const observer = this.#observer;
    if (code === CLOSE_LEFT) this.session?.leave(this);
    else this.session?.detach(this);
    if (observer !== undefined) this.#options.observation.leave(observer);
    this.#abort.abort();
  }
}

function describeError(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

// The session with a server across connections: calls wait while it is being recovered, those that are safe to repeat
// are repeated, and when recovery fails everything ends with one typed error.

import {
  type ClientRequestMethod,
  type Clock,
  type EnvironmentInfo,
  type Grant,
  type ParamsOf,
  type ParamsWithPayload,
  payloadsAsText,
  RESULT_PAYLOADS,
  type ResultOf,
  type ResultWithPayload,
  RpcError,
} from '@codex/exec-protocol';
import { type ChannelClose, CLOSE_LEFT, RpcTransportError, systemClock } from '@codex/exec-rpc';
import type { MachineLoss } from '../exec-server-error.js';
import { abortedError, ExecServerError } from '../exec-server-error.js';
import type { ChannelOpener } from '../platform.js';
import { rejected } from '../rpc-failure.js';
import { CallSlots } from './call-slots.js';
import type { ConnectionEvent, ConnectOptions } from './connect-options.js';
import { handshakeOptions, type LinkListener, type LinkParts, openFirst } from './first-connection.js';
import { type OpenConnection, openConnection } from './handshake.js';
import {
  connectError,
  describeClose,
  isUnknownSession,
  refuseOldNode,
  transportError,
  whyNotResumed,
} from './link-error.js';
import { recoverConnection } from './recovery.js';

export interface CallOptions {
  /** Sent again after a reconnect when the answer was lost: only for requests whose repetition changes nothing. */
  readonly repeatable?: boolean;
  /** Called before the request is sent again. */
  readonly onRepeat?: () => void;
  /** Does not wait behind other requests. */
  readonly control?: boolean;
  readonly signal?: AbortSignal | undefined;
  /** Gives the call up as long as it has not been sent; from then on it has no meaning. */
  readonly unsent?: AbortSignal | undefined;
  /** Called when the request is handed to a connection, each time. */
  readonly onSent?: () => void;
}

type LinkState =
  | { readonly phase: 'open'; readonly connection: OpenConnection }
  | { readonly phase: 'recovering'; readonly recovered: Promise<void> }
  | { readonly phase: 'ended'; readonly error: ExecServerError };

/** The server gave the session to another connection; taking it back would never end. */
const CLOSE_TAKEN_OVER = 4001;
const CLOSE_NORMAL = 1000;

export class SessionLink {
  readonly clock: Clock;
  readonly sessionId: string;
  readonly info: EnvironmentInfo;
  /** Of an observer. */
  readonly grants: readonly Grant[];
  readonly #role: 'observer' | undefined;
  readonly #opener: ChannelOpener;
  readonly #options: ConnectOptions;
  readonly #listener: LinkListener;
  readonly #slots = new CallSlots();
  readonly #closing = new AbortController();
  #mustKeepSession: boolean;
  #state: LinkState;

  private constructor(first: OpenConnection, parts: LinkParts) {
    this.clock = parts.options.clock ?? systemClock;
    this.sessionId = first.sessionId;
    this.info = first.info;
    this.grants = first.grants;
    this.#role = parts.role;
    this.#opener = parts.opener;
    this.#options = parts.options;
    this.#listener = parts.listener;
    // What an earlier client left in a session that was taken up is not this one's to end.
    this.#mustKeepSession = parts.options.resume !== undefined;
    this.#state = { phase: 'open', connection: first };
    this.#watch(first);
    this.#report({ type: 'connected' });
  }

  static async open(
    opener: ChannelOpener,
    options: ConnectOptions,
    listener: LinkListener,
    role?: 'observer',
  ): Promise<SessionLink> {
    const parts = { opener, options, listener, ...(role === undefined ? {} : { role }) };
    try {
      refuseOldNode(opener);
      return new SessionLink(await openFirst(parts), parts);
    } catch (error) {
      opener.close?.();
      throw connectError(opener, error, options.resume?.sessionId);
    }
  }

  get canReconnect(): boolean {
    return this.#opener.reopenable && this.#options.reconnect !== false;
  }

  get ended(): ExecServerError | undefined {
    return this.#state.phase === 'ended' ? this.#state.error : undefined;
  }

  /** Rejects with the server's RpcError as it is, or with an ExecServerError when there was no answer. */
  call<M extends ClientRequestMethod>(
    method: M,
    params: ParamsWithPayload<M>,
    options: CallOptions = {},
  ): Promise<ResultWithPayload<M>> {
    const work = (): Promise<ResultWithPayload<M>> => this.#callThroughRecovery(method, params, options);
    return options.control === true ? work() : this.#slots.run(work, { signal: waitSignal(options) });
  }

  /** As `call`, for requests without an error code of their own: a refusal is a `server.rejected`. */
  async ask<M extends ClientRequestMethod>(
    method: M,
    params: ParamsWithPayload<M>,
    options: CallOptions = {},
  ): Promise<ResultWithPayload<M>> {
    try {
      return await this.call(method, params, options);
    } catch (error) {
      throw error instanceof RpcError ? rejected(method, error) : error;
    }
  }

  /** As `ask`, with base64 where the result has payloads, in whatever form they came. */
  async askForText<M extends ClientRequestMethod>(
    method: M,
    params: ParamsOf<M>,
    options: CallOptions = {},
  ): Promise<ResultOf<M>> {
    const result = await this.ask(method, params as ParamsWithPayload<M>, options);
    payloadsAsText(result, RESULT_PAYLOADS.get(method) ?? []);
    return result as ResultOf<M>;
  }

  /** Sent while there is a connection; what is told anew after a recovery need not be waited for. */
  notify(method: string, params: unknown): void {
    if (this.#state.phase === 'open') this.#state.connection.peer.notify(method, params);
  }

  /** The only payload of an answer is no longer used: its memory may be. */
  releasePayload(bytes: Uint8Array): void {
    if (this.#state.phase === 'open') this.#state.connection.peer.releasePayload(bytes);
  }

  /** There is a connection, as far as is known. */
  get isOpen(): boolean {
    return this.#state.phase === 'open';
  }

  /** Somebody may come back to the session after this client: the server keeps it for its time-to-live. */
  keepSession(): void {
    this.#mustKeepSession = true;
  }

  /** Says goodbye. */
  close(): void {
    if (this.#state.phase === 'ended') return;
    const code = this.#mustKeepSession ? CLOSE_NORMAL : CLOSE_LEFT;
    const { connection } = this.#state as Partial<Extract<LinkState, { phase: 'open' }>>;
    this.#closing.abort();
    this.#end(
      new ExecServerError('closed', 'the client is closed', { details: { operation: 'close' } }),
      'closed',
    );
    connection?.peer.close(code, 'client closed');
  }

  async #callThroughRecovery<M extends ClientRequestMethod>(
    method: M,
    params: ParamsWithPayload<M>,
    options: CallOptions,
  ): Promise<ResultWithPayload<M>> {
    for (let sent = false; ; sent = true) {
      const { peer } = await this.#openConnection(method, waitSignal(options), sent ? 'unknown' : false);
      try {
        const { signal } = options;
        options.onSent?.();
        return (await peer.call(
          method,
          params,
          signal === undefined ? {} : { signal },
        )) as ResultWithPayload<M>;
      } catch (error) {
        if (!(error instanceof RpcTransportError)) throw error;
        if (error.code !== 'RPC_CLOSED') throw transportError(error, method, options.signal);
        // The close is reported to calls and to the link in the same turn; let the link see it first.
        await Promise.resolve();
        if (options.repeatable !== true || !this.canReconnect) throw this.#lost(error.message, 'unknown');
        options.onRepeat?.();
      }
    }
  }

  async #openConnection(
    method: string,
    signal: AbortSignal | undefined,
    admitted: 'unknown' | false,
  ): Promise<OpenConnection> {
    for (;;) {
      const state = this.#state;
      if (signal?.aborted === true) throw abortedError(method, signal.reason, admitted);
      switch (state.phase) {
        case 'open':
          return state.connection;
        case 'ended':
          throw state.error;
        case 'recovering':
          await untilSettledOrAborted(state.recovered, signal);
      }
    }
  }

  #watch(connection: OpenConnection): void {
    void connection.peer.closed.then((close) => {
      if (this.#state.phase === 'open' && this.#state.connection === connection) this.#disconnected(close);
    });
  }

  #disconnected(close: ChannelClose): void {
    const reason = describeClose(close);
    if (!this.canReconnect || close.code === CLOSE_TAKEN_OVER) {
      this.#end(this.#lost(reason, 'unknown'), 'lost');
      return;
    }
    this.#report({ type: 'reconnecting', reason });
    this.#listener.reconnecting();
    const policy = this.#options.reconnect === false ? {} : (this.#options.reconnect ?? {});
    const recovered = recoverConnection({
      clock: this.clock,
      policy,
      signal: this.#closing.signal,
      attempt: (remainingMs) => this.#reopen(remainingMs),
    }).then(
      (connection) => this.#reconnected(connection),
      (error: unknown) => {
        const why = whyNotResumed(error);
        const loss = this.#opener.lossOf?.(error, isUnknownSession(error));
        if (this.#state.phase !== 'ended')
          this.#end(this.#lost(`${reason}; ${why}`, 'unknown', loss), 'lost');
      },
    );
    this.#state = { phase: 'recovering', recovered };
  }

  #reopen(remainingMs: number): Promise<OpenConnection> {
    const role = this.#role === undefined ? {} : { role: this.#role };
    const parts = { opener: this.#opener, options: this.#options, listener: this.#listener, ...role };
    const options = handshakeOptions(parts, this.sessionId);
    return openConnection({
      ...options,
      timeoutMs: Math.min(options.timeoutMs, remainingMs),
      signal: this.#closing.signal,
    });
  }

  #reconnected(connection: OpenConnection): void {
    if (this.#state.phase === 'ended') {
      connection.peer.close();
      return;
    }
    this.#state = { phase: 'open', connection };
    this.#watch(connection);
    this.#report({ type: 'reconnected' });
    this.#listener.reconnected();
  }

  #end(error: ExecServerError, type: 'lost' | 'closed'): void {
    this.#state = { phase: 'ended', error };
    this.#report({ type, reason: error.message });
    this.#listener.ended(error);
    this.#opener.close?.();
  }

  #lost(reason: string, admitted: 'unknown' | false, loss?: MachineLoss): ExecServerError<'transport.lost'> {
    return new ExecServerError(
      'transport.lost',
      `the connection to ${this.#opener.label} is lost: ${reason}`,
      {
        details: { reason: 'connectionLost', sessionId: this.sessionId, ...loss },
        admitted,
        retryable: true,
        hint: 'Connect again; what the call did before the loss is not known.',
      },
    );
  }

  #report(event: ConnectionEvent): void {
    this.#options.onEvent?.(event);
  }
}

/** What ends a call that waits for its turn or for a connection. */
function waitSignal({ signal, unsent }: CallOptions): AbortSignal | undefined {
  return signal === undefined || unsent === undefined
    ? (signal ?? unsent)
    : AbortSignal.any([signal, unsent]);
}

function untilSettledOrAborted(work: Promise<void>, signal: AbortSignal | undefined): Promise<void> {
  if (signal === undefined) return work;
  return new Promise((resolve) => {
    const finish = (): void => {
      signal.removeEventListener('abort', finish);
      resolve();
    };
    signal.addEventListener('abort', finish, { once: true });
    void work.then(finish);
  });
}

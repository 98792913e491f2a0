// The shape every slice's handlers have. A handler translates between the wire and its slice and holds no logic.
import type { ClientRequestMethod, ParamsOf, ResultOf, WireResult } from '@codex/exec-protocol';
import type { RequestPayload, RpcPeer } from '@codex/exec-rpc';
import type { Session } from '../session/session.js';

type MaybePromise<T> = T | Promise<T>;

export type Handler<M extends ClientRequestMethod> = (
  params: ParamsOf<M>,
  context: RequestContext,
) => MaybePromise<ResultOf<M> | WireResult>;

export type Handlers = { readonly [M in ClientRequestMethod]?: Handler<M> };

export interface RequestContext {
  readonly session: Session;
  readonly connection: ConnectionScope;
  /** For the methods whose descriptor names a payload member: what the empty payload member stands for. Absent when it is not empty. */
  readonly payload?: RequestPayload | undefined;
  /** Runs `action` right behind the reply to this request, so that nothing it sends can overtake the reply. */
  afterReply(action: () => void): void;
}

/** What a slice may know about the connection a request came in on. */
export interface ConnectionScope {
  readonly id: number;
  /** Who the transport says the peer is; a session belongs to the identity that opened it. */
  readonly identity: string;
  readonly peer: RpcPeer;
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
  /** Whether the client asked for `process/started` and `process/failed`. */
  readonly lifecycleNotifications: boolean;
  /** State that a slice keeps for the life of this connection, made on first use. */
  slice<T>(key: SliceKey<T>): T;
}

export interface SliceKey<T> {
  readonly create: (connection: ConnectionScope) => T;
}

// The context that a handler gets with a request, and the part of the connection that a slice may use.
import type { RequestPayload, RpcPeer } from '@codex/exec-rpc';
import type { Access } from './observe/access.js';
import type { Observer } from './observe/observer.js';
import type { Session } from './session/session.js';

export interface RequestContext {
  readonly session: Session;
  readonly connection: ConnectionScope;
  /** For the methods whose descriptor names a payload member: what the empty payload member stands for. Absent when it is not empty. */
  readonly payload?: RequestPayload | undefined;
  /** Runs `action` right behind the reply to this request, so that nothing it sends can overtake the reply. */
  afterReply(action: () => void): void;
}

/** What a request of an observer brings along. */
export interface ObserverContext {
  readonly observer: Observer;
  readonly connection: ConnectionScope;
  /** Runs `action` right behind the reply to this request. */
  readonly afterReply: (action: () => void) => void;
}

/** What a slice may know about the connection a request came in on. */
export interface ConnectionScope {
  readonly id: number;
  /** Who the transport says the peer is; a session belongs to the identity that opened it. */
  readonly identity: string;
  readonly access: Access;
  readonly peer: RpcPeer;
  /** Undefined until there is one. */
  readonly session: Session | undefined;
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
  /** Whether the client asked for `process/started` and `process/failed`. */
  readonly lifecycleNotifications: boolean;
  /** Of a page that came with a ticket: makes what opens its next connection. */
  readonly reconnectToken: (() => string) | undefined;
  /** State that a slice keeps for the life of this connection, made on first use. */
  slice<T>(key: SliceKey<T>): T;
}

export interface SliceKey<T> {
  readonly create: (connection: ConnectionScope) => T;
}

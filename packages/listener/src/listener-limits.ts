// Bounds of one listener, before any message is read.
import { MAX_MESSAGE_BYTES } from '@codex/exec-protocol';

export interface ListenerLimits {
  /** Open websockets; one more is answered with 503. */
  readonly maxConnections: number;
  /** Sockets that are not (yet) a websocket; when one more comes the oldest is dropped, so strangers cannot lock out. */
  readonly maxHalfOpen: number;
  /** How long a socket may take to become a websocket, or to get its plain HTTP answer. */
  readonly handshakeTimeoutMs: number;
  readonly maxHeaderBytes: number;
  /** Received message; a longer one closes its connection with 1009. */
  readonly maxMessageBytes: number;
  /** Messages of all connections together that are not whole yet; beyond that connections end, of whoever has most of them. */
  readonly maxUnfinishedBytes: number;
}

export const DEFAULT_LISTENER_LIMITS: ListenerLimits = Object.freeze({
  maxConnections: 1024,
  maxHalfOpen: 512,
  handshakeTimeoutMs: 10_000,
  maxHeaderBytes: 16 * 1024,
  maxMessageBytes: MAX_MESSAGE_BYTES,
  maxUnfinishedBytes: 1024 * 1024 * 1024,
});

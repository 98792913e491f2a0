// The options of `connect`.

import type { Clock } from '@codex/exec-protocol';
import type { Channel } from '@codex/exec-rpc';
import type { ServerCommand } from '../platform.js';
import type { SpawnOptions } from '../spawn-options.js';

/**
 * A `ws://` or `wss://` URL; a fleet's broker as `nats://` or `tls://` URL, with an `environment`; a command that serves on its stdin and stdout; or a channel, e.g. to a server in the same
 * process. A function that makes channels can be reconnected, as a URL can.
 */
export type ConnectTarget =
  | string
  | URL
  | { readonly command: readonly string[]; readonly cwd?: string; readonly env?: ServerCommand['env'] }
  | { readonly channel: Channel | (() => Channel | Promise<Channel>) };

export interface ReconnectPolicy {
  /** How long to try before everything ends with `transport.lost`. Default 45 s; servers keep a session for 80 s. */
  readonly maxElapsedMs?: number;
  /** Between two attempts; the first follows at once. Default 100 ms. */
  readonly intervalMs?: number;
}

export interface HeartbeatPolicy {
  /** How long a server may be silent before its connection counts as dead and is made anew. Default 15 s. */
  readonly timeoutMs?: number;
}

/** For a fleet; each has a default that fits most. */
export interface FleetPolicy {
  /** How long to look for a machine with room before `fleet.noCapacity`. Default 10 s. */
  readonly acquireTimeoutMs?: number;
  /** How long the broker must know nothing of the machine before it counts as lost. Default 5 s. */
  readonly lossGraceMs?: number;
  /** Accepts that credentials and output cross the network in the clear. */
  readonly insecurePlaintext?: boolean;
}

export interface ConnectionEvent {
  readonly type: 'connected' | 'reconnecting' | 'reconnected' | 'lost' | 'closed';
  readonly reason?: string;
}

export interface ConnectOptions {
  /** How the server's log names this client. */
  readonly clientName?: string;
  /** Ends the attempt to connect; it has no meaning afterwards. */
  readonly signal?: AbortSignal;
  /** For the connection and the handshake together. Default 10 s. */
  readonly connectTimeoutMs?: number;
  readonly reconnect?: false | ReconnectPolicy;
  readonly heartbeat?: false | HeartbeatPolicy;
  /** Sent with the websocket's upgrade request; not possible in browsers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as `Authorization: Bearer …`. */
  readonly token?: string;
  /** With a broker's address: which machines. */
  readonly environment?: string;
  /** With a broker's address: one machine of the environment, by its name. */
  readonly machine?: string;
  /** With a broker's address: the path of a credentials file. */
  readonly credentials?: string;
  /** With a broker's address: the path of the authority (PEM) that has signed the broker's certificate. */
  readonly caFile?: string;
  readonly fleet?: FleetPolicy;
  readonly clock?: Clock;
  /** For every `run` and `spawn`; what a call says itself goes first. */
  readonly defaults?: SpawnOptions;
  /** Takes up a session that an earlier connection left, see `RemoteProcess.detach()`. */
  readonly resume?: { readonly sessionId: string };
  /** How long the server keeps the session without a connection. Ignored by servers without `session.ttl`. */
  readonly sessionTtlMs?: number;
  /** False asks the server for text messages with base64 only. Default: raw bytes where the server and the channel have them. */
  readonly binaryPayloads?: boolean;
  readonly onEvent?: (event: ConnectionEvent) => void;
}

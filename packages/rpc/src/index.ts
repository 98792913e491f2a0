// @codex/exec-rpc: JSON-RPC peer over a channel. Runtime-neutral; `./ws`, `./ws-channel` and `./stdio` need Node.

export type { BulkHandle, BulkProgress, BulkSource } from './bulk-scheduler.js';
export {
  type BinaryForm,
  type Channel,
  type ChannelClose,
  type ChannelReceiver,
  CLOSE_LEFT,
  CLOSE_NOT_UTF8,
  type PayloadMemory,
} from './channel.js';
export { backgroundClock, sleep, systemClock } from './clock.js';
export { createInMemoryChannelPair } from './in-memory-channel.js';
export type {
  InboundHandlers,
  IncomingNotification,
  IncomingRequest,
  RequestPayload,
} from './inbound/inbound-dispatch.js';
export { RpcPeer, type RpcPeerOptions } from './peer.js';
export type { PeerStats } from './peer-stats.js';
export type { CallOptions } from './pending-calls.js';
export { DEFAULT_RPC_LIMITS, type RpcLimits } from './rpc-limits.js';
export type { RpcLogger } from './rpc-logger.js';
export { RpcTransportError, type RpcTransportErrorCode } from './transport-error.js';

// Bounds of one peer. Each has its own reaction: a rejected call, an error reply, a pause, or the end.

import { MAX_MESSAGE_BYTES } from '@codex/exec-protocol';

export interface RpcLimits {
  /** Calls of ours without an answer; one more is rejected with RPC_CALL_LIMIT. */
  readonly maxPendingCalls: number;
  /** Requests of the remote end in work; one more is answered with an error. */
  readonly maxInFlightRequests: number;
  /** Bulk sources are asked only while the transport holds fewer bytes than this. */
  readonly bulkMarkBytes: number;
  /** Above this many unsent bytes the remote end's requests are not read until half of it is gone. */
  readonly maxQueuedReplyBytes: number;
  /** A longer reply becomes an error, a longer call is rejected: the remote end would close the connection. */
  readonly maxSentMessageBytes: number;
  /** Above this many unsent bytes (replies to requests already taken) the connection is closed. */
  readonly maxQueuedBytes: number;
}

const MIB = 1024 * 1024;

export const DEFAULT_RPC_LIMITS: RpcLimits = Object.freeze({
  maxPendingCalls: 1024,
  maxInFlightRequests: 4096,
  bulkMarkBytes: MIB,
  maxQueuedReplyBytes: 32 * MIB,
  maxSentMessageBytes: MAX_MESSAGE_BYTES,
  maxQueuedBytes: 256 * MIB,
});

// Counters of one peer, for metrics and tests.

export interface PeerStats {
  /** Messages of any kind, malformed ones too: each is a sign of life. */
  receivedMessages: number;
  requests: number;
  notifications: number;
  /** Requests answered with the in-flight limit's error. */
  refusedRequests: number;
  malformedMessages: number;
  /** Answers to calls that were aborted or timed out before. */
  lateResponses: number;
  /** Answers with an id this peer never used. */
  strayResponses: number;
  /** Handlers or bulk sources that failed with something other than an RpcError. */
  internalFailures: number;
  /** How often reading was paused because replies were not taken. */
  readPauses: number;
  bulkMessages: number;
}

export function createPeerStats(): PeerStats {
  return {
    receivedMessages: 0,
    requests: 0,
    notifications: 0,
    refusedRequests: 0,
    malformedMessages: 0,
    lateResponses: 0,
    strayResponses: 0,
    internalFailures: 0,
    readPauses: 0,
    bulkMessages: 0,
  };
}

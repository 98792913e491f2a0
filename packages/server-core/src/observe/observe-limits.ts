// What observers may use. Every value can be set by the embedder.

export interface ObserveLimits {
  readonly maxObservers: number;
  readonly maxWatchesPerObserver: number;
  /** The most that one watch may ask to be sent beyond what it has acknowledged. */
  readonly maxWatchWindowBytes: number;
  readonly journalEvents: number;
  readonly journalBytes: number;
  /** Questions of one session, decided ones included. */
  readonly maxApprovalsPerSession: number;
}

export const DEFAULT_OBSERVE_LIMITS: ObserveLimits = {
  maxObservers: 16,
  maxWatchesPerObserver: 64,
  maxWatchWindowBytes: 1024 * 1024,
  journalEvents: 10_000,
  journalBytes: 4 * 1024 * 1024,
  maxApprovalsPerSession: 64,
};

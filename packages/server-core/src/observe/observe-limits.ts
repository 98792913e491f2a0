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
  /** Processes that observers may look at when the server has let go of them. Without a console none, unless given. */
  readonly maxPastProcesses: number;
  /** What is kept of the output of each, and at most one block of 64 KiB more. */
  readonly pastOutputBytesPerProcess: number;
  /** Where output is recorded: what all recordings together may take; the oldest goes. */
  readonly recordedBytes: number;
  readonly recordedBytesPerProcess: number;
}

export const DEFAULT_OBSERVE_LIMITS: ObserveLimits = {
  maxObservers: 16,
  maxWatchesPerObserver: 64,
  maxWatchWindowBytes: 1024 * 1024,
  journalEvents: 10_000,
  journalBytes: 4 * 1024 * 1024,
  maxApprovalsPerSession: 64,
  maxPastProcesses: 200,
  pastOutputBytesPerProcess: 64 * 1024,
  recordedBytes: 1024 * 1024 * 1024,
  recordedBytesPerProcess: 16 * 1024 * 1024,
};

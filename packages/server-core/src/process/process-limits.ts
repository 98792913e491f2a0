// What one server, session and process may use, and for how long. Every value can be set by the embedder.

const KIB = 1024;
const MIB = 1024 * KIB;

export interface ProcessLimits {
  /** Processes of one session whose command runs, whose output is open, or whose background children live. */
  readonly maxProcessesPerSession: number;
  /** The same count over all sessions. */
  readonly maxProcesses: number;
  /** Ended processes of one session that stay readable; the oldest goes first. */
  readonly maxRetainedProcessesPerSession: number;
  /** How long an ended process stays readable after its `closed` event went out, and its id reserved. */
  readonly exitedProcessRetentionMs: number;
  readonly retainedOutputBytesPerProcess: number;
  /** The same for what the client of an ended process is known to have: as much as the real server keeps of anything. */
  readonly retainedReadOutputBytesPerEndedProcess: number;
  readonly retainedOutputBytes: number;
  /** Output that the attached client has not taken; above it the process is stalled. */
  readonly unsentOutputBytesPerProcess: number;
  /** How long a process that filled its log is stalled for a client that is gone, before output is dropped. */
  readonly detachedStallMs: number;
  /** First bytes of each stream that a snapshot keeps when the log has dropped them. */
  readonly snapshotHeadBytes: number;
  /** Input that is acknowledged before the child has read it. */
  readonly queuedInputBytesPerProcess: number;
  /** Input of unanswered writes, per session and per server; beyond it a write is refused. */
  readonly waitingInputBytesPerSession: number;
  readonly waitingInputBytes: number;
  /** `writeId`s remembered per process, so that a repeated write is written once. */
  readonly retainedWriteIds: number;
  /** Launches under way at once; the others wait in line. */
  readonly maxConcurrentLaunches: number;
  /** How long children may take to end after SIGTERM when the server ends. */
  readonly shutdownGracePeriodMs: number;
  /** Whether `process/start` takes commands of its own (the flat and the `direct` form). */
  readonly allowDirectExec: boolean;
  /** Whether `process/start` takes requests that the caller has already resolved (the `prepared` form). */
  readonly allowPreparedExec: boolean;
}

export const DEFAULT_PROCESS_LIMITS: ProcessLimits = {
  maxProcessesPerSession: 1024,
  maxProcesses: 4096,
  maxRetainedProcessesPerSession: 1024,
  exitedProcessRetentionMs: 80_000,
  retainedOutputBytesPerProcess: 8 * MIB,
  retainedReadOutputBytesPerEndedProcess: MIB,
  retainedOutputBytes: 512 * MIB,
  unsentOutputBytesPerProcess: MIB,
  detachedStallMs: 80_000,
  snapshotHeadBytes: 64 * KIB,
  queuedInputBytesPerProcess: MIB,
  waitingInputBytesPerSession: 64 * MIB,
  waitingInputBytes: 256 * MIB,
  retainedWriteIds: 4096,
  maxConcurrentLaunches: 8,
  shutdownGracePeriodMs: 5000,
  allowDirectExec: true,
  allowPreparedExec: true,
};

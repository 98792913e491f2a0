// @codex/exec-client: runs commands and works with files on an exec-server. Runs in browsers too.

export type { Clock, Timer } from '@codex/exec-protocol';
export { systemClock } from '@codex/exec-rpc';
export type { Capability } from './capabilities.js';
export { ExecServerClient } from './exec-server-client.js';
export { type ErrorCode, type ErrorDetails, ExecServerError } from './exec-server-error.js';
export type { ReadRange } from './fs/file-reader.js';
export type { WriteOptions } from './fs/file-writer.js';
export type { FsOptions } from './fs/fs-context.js';
export type { FileEntry, FileStat, RemoteFs } from './fs/remote-fs.js';
export type { Progress, Transfer } from './fs/transfer.js';
export type { TransferOptions, TransferSummary } from './fs/tree/transfer-options.js';
export type { WalkEntry, WalkOptions } from './fs/walk.js';
export type { FsEvent, FsWatch, WatchOptions } from './fs/watch.js';
export { HeadTailBuffer } from './head-tail-buffer.js';
export type { ApprovalAnswer, ApprovalQuestion, Approvals } from './observe/approvals.js';
export { ExecObserver, type ObserveOptions, type ProcessTarget } from './observe/exec-observer.js';
export type {
  ProcessWatch,
  WatchEvent,
  WatchOptions as ProcessWatchOptions,
} from './observe/process-watch.js';
export type { LocalEntry, SkippedEntry } from './platform.js';
export type { KeyName, Stdin } from './process/control/process-stdin.js';
export type { Cursor, OutputEvent, ProcessEvent } from './process/events/process-event.js';
export { Utf8Carry, type WholeText } from './process/events/utf8-carry.js';
export type { ExecBackend, ExecProcess } from './process/exec-backend.js';
export type { LineOptions, OutputView, ReadOptions } from './process/output/output-view.js';
export type { TextMatch } from './process/output/text-scanner.js';
export type { ProcessEntry } from './process/process-entry.js';
export type { ProcessRef, RemoteProcess } from './process/remote-process.js';
export { DEFAULT_ENV_EXCLUDES } from './process/start/secret-variables.js';
export { shellJoin, shellQuote, type TemplateValue } from './process/start/shell-quote.js';
export { type PauseGate, PauseHolds } from './process/window/pause-gate.js';
export type { YieldResult, YieldWindow } from './process/window/yield-window.js';
export type {
  Captured,
  CapturedJson,
  Gap,
  NotStarted,
  Outcome,
  Result,
  ResultJson,
  SandboxDenial,
  StandardSchema,
  StreamName,
} from './result.js';
export type { RunOptions, RunPromise } from './run/run-promise.js';
export {
  type SandboxOption,
  type SandboxPlace,
  type SandboxPolicyOption,
  wireSandbox,
} from './sandbox-option.js';
export type {
  ConnectionEvent,
  ConnectOptions,
  ConnectTarget,
  HeartbeatPolicy,
  ReconnectPolicy,
} from './session/connect-options.js';
export type {
  CapturePolicy,
  Command,
  DrainPolicy,
  Input,
  InputChunk,
  SpawnOptions,
  StopPolicy,
} from './spawn-options.js';

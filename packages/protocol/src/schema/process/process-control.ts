// Signals, termination, and the list and snapshot of processes.
import { Type } from '@sinclair/typebox';
import {
  Base64,
  Bound64,
  I32,
  named,
  nullable,
  optional,
  refTo,
  stringEnum,
  tagged,
  U16,
  U32,
  U64,
} from '../primitives.js';
import { SandboxDenial, SandboxStop } from './process-io.js';
import { ExecMetadata, SandboxType } from './process-start.js';

const SIGNAL_NAMES = [
  'interrupt',
  'SIGHUP',
  'SIGINT',
  'SIGQUIT',
  'SIGILL',
  'SIGTRAP',
  'SIGABRT',
  'SIGBUS',
  'SIGFPE',
  'SIGKILL',
  'SIGUSR1',
  'SIGSEGV',
  'SIGUSR2',
  'SIGPIPE',
  'SIGALRM',
  'SIGTERM',
  'SIGCHLD',
  'SIGCONT',
  'SIGSTOP',
  'SIGTSTP',
  'SIGTTIN',
  'SIGTTOU',
  'SIGURG',
  'SIGXCPU',
  'SIGXFSZ',
  'SIGVTALRM',
  'SIGPROF',
  'SIGWINCH',
  'SIGIO',
  'SIGSYS',
] as const;

/** `interrupt` is the portable name; the rest are POSIX names. */
export const ProcessSignal = named('ProcessSignal', stringEnum(SIGNAL_NAMES));

export const ProcessSignalParams = named(
  'ProcessSignalParams',
  Type.Object({ processId: Type.String(), signal: refTo(ProcessSignal) }),
);

export const TerminateMode = named(
  'TerminateMode',
  tagged('type', [
    Type.Object({ type: Type.Literal('graceful'), timeoutMs: Bound64 }),
    Type.Object({ type: Type.Literal('force') }),
    /** Also what an ended command left in the background, and for as long as the session lives. */
    Type.Object({ type: Type.Literal('tree') }),
  ]),
);

export const ProcessTerminateParams = named(
  'ProcessTerminateParams',
  Type.Object({ processId: Type.String(), mode: optional(refTo(TerminateMode)) }),
);

export const ProcessTerminateResult = named(
  'ProcessTerminateResult',
  Type.Object({ running: Type.Boolean() }),
);

export const ProcessWaitParams = named(
  'ProcessWaitParams',
  Type.Object({
    processId: Type.String(),
    timeoutMs: optional(Bound64),
    until: optional(stringEnum(['exited', 'closed'])),
  }),
);

export const ProcessWaitResult = named(
  'ProcessWaitResult',
  Type.Object({
    exited: Type.Boolean(),
    exitCode: nullable(I32),
    closed: Type.Boolean(),
    sandboxDenied: Type.Boolean(),
    denial: optional(refTo(SandboxDenial)),
    stopped: optional(refTo(SandboxStop)),
    timedOut: Type.Boolean(),
  }),
);

export const ProcessSnapshotParams = named(
  'ProcessSnapshotParams',
  Type.Object({ processId: Type.String() }),
);

export const ProcessSnapshotResult = named(
  'ProcessSnapshotResult',
  Type.Object({
    stdout: Base64,
    stderr: Base64,
    terminal: Base64,
    truncated: Type.Boolean(),
    omittedBytes: U64,
    exitCode: nullable(I32),
    running: Type.Boolean(),
  }),
);

export const ProcessSummary = named(
  'ProcessSummary',
  Type.Object({
    processId: Type.String(),
    pid: optional(U32),
    argv: Type.Array(Type.String()),
    cwd: Type.String(),
    tty: Type.Boolean(),
    state: stringEnum(['starting', 'running', 'exited', 'closed']),
    exitCode: nullable(I32),
    startedAtMs: optional(U64),
    nextSeq: U64,
    /** The oldest event that is kept. */
    firstSeq: optional(U64),
    /** Of a terminal. */
    rows: optional(U16),
    cols: optional(U16),
    sandboxType: optional(SandboxType),
    sandboxDenied: optional(Type.Boolean()),
    denial: optional(refTo(SandboxDenial)),
    stopped: optional(refTo(SandboxStop)),
    endedAtMs: optional(U64),
    /** Its output is not read, because its client does not take it. */
    stalled: optional(Type.Boolean()),
    /** Something of its tree is alive. */
    alive: optional(Type.Boolean()),
    metadata: optional(refTo(ExecMetadata)),
  }),
);

export const ProcessListResult = named(
  'ProcessListResult',
  Type.Object({ processes: Type.Array(refTo(ProcessSummary)) }),
);

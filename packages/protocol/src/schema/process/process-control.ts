// Signals, ends, and looking at a process from outside.
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
  U32,
  U64,
} from '../primitives.js';
import { SandboxDenial } from './process-io.js';

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
  }),
);

export const ProcessListResult = named(
  'ProcessListResult',
  Type.Object({ processes: Type.Array(refTo(ProcessSummary)) }),
);

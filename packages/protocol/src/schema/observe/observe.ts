// Watching sessions from beside them. An observer names sessions by handles; the id of a session is a secret and no part
// of any of these shapes.
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
  U16,
  U32,
  U64,
} from '../primitives.js';
import { ProcessSignal, ProcessSummary, TerminateMode } from '../process/process-control.js';
import { OmittedOutput, OutputStream, SandboxDenial, SandboxStop } from '../process/process-io.js';

/**
 * What a connection may do, decided where it came in. `own` opens sessions; the others are for observers: to see sessions,
 * to be told why something was denied, to read files under the policy of a process, to end commands, to type into them, to
 * decide approvals.
 */
export const Grant = named(
  'Grant',
  stringEnum(['own', 'observe', 'denials', 'files', 'stop', 'type', 'approve']),
);

export const ObservedSession = named(
  'ObservedSession',
  Type.Object({
    /** A random name of the session, good for as long as it lives. */
    session: Type.String(),
    clientName: Type.String(),
    identity: Type.String(),
    /** `away`: its client is gone and may come back until `expiresAtMs`. */
    state: stringEnum(['attached', 'away', 'ending']),
    openedAtMs: U64,
    /** Since when it is in its state. */
    sinceMs: U64,
    expiresAtMs: optional(U64),
    processes: U32,
    running: U32,
    stalled: U32,
    observers: U32,
  }),
);

export const SessionsListResult = named(
  'SessionsListResult',
  Type.Object({ sessions: Type.Array(refTo(ObservedSession)) }),
);

export const ObserveProcessesParams = named(
  'ObserveProcessesParams',
  Type.Object({
    /** Absent: of every session that may be seen. */
    session: optional(Type.String()),
  }),
);

export const ObservedProcess = named(
  'ObservedProcess',
  Type.Object({
    session: Type.String(),
    process: refTo(ProcessSummary),
    /** Of a process that the server has let go of, which is shown for a while: whose it was. */
    past: optional(Type.Object({ clientName: Type.String(), identity: Type.String() })),
  }),
);

export const ObserveProcessesResult = named(
  'ObserveProcessesResult',
  Type.Object({
    processes: Type.Array(refTo(ObservedProcess)),
    /** How many of the oldest are left out because the reply would be too large. */
    omitted: U32,
  }),
);

const TARGET = { session: Type.String(), processId: Type.String() };

export const ObserveOpenParams = named(
  'ObserveOpenParams',
  Type.Object({
    ...TARGET,
    /** Chosen by the observer; its notifications carry it. */
    watch: Type.String(),
    /** The first event wanted. Without it, and without `tailBytes`, the oldest that is kept. */
    fromSeq: optional(Bound64),
    /** Instead of `fromSeq`: about this much of the newest output, and what follows. 0 is what follows only. */
    tailBytes: optional(Bound64),
    /** `complete` waits for its reader and reports what was dropped meanwhile; `latest` skips to what is newest. */
    mode: optional(stringEnum(['complete', 'latest'])),
    /** How much output may be sent beyond the last `observe/ack`. */
    windowBytes: optional(Bound64),
  }),
);

/** The terminal has this size from before the event `seq` on. A resize takes no number of its own. */
export const TerminalResize = named(
  'TerminalResize',
  Type.Object({ seq: U64, atMs: U64, rows: U16, cols: U16 }),
);

export const ObserveOpenResult = named(
  'ObserveOpenResult',
  Type.Object({
    process: refTo(ProcessSummary),
    /** The first event that will come. */
    fromSeq: U64,
    /** The oldest event that is kept. */
    firstSeq: U64,
    nextSeq: U64,
    windowBytes: U64,
    /** The size of the terminal at `fromSeq`. */
    size: optional(refTo(TerminalResize)),
    /** What was asked for and is no longer kept. */
    omitted: optional(refTo(OmittedOutput)),
  }),
);

export const ObserveCloseParams = named('ObserveCloseParams', Type.Object({ watch: Type.String() }));

export const ObserveAckNotification = named(
  'ObserveAckNotification',
  Type.Object({
    watch: Type.String(),
    /** Everything up to and including this event has been taken. */
    seq: Bound64,
  }),
);

export const ObserveReadParams = named(
  'ObserveReadParams',
  Type.Object({ ...TARGET, afterSeq: optional(Bound64), maxBytes: optional(Bound64) }),
);

export const TimedChunk = named(
  'TimedChunk',
  Type.Object({ seq: U64, atMs: U64, stream: OutputStream, chunk: Base64 }),
);

export const ObserveReadResult = named(
  'ObserveReadResult',
  Type.Object({
    chunks: Type.Array(refTo(TimedChunk)),
    nextSeq: U64,
    firstSeq: U64,
    /** One past the newest event of the log, whether it is in `chunks` or not. */
    endSeq: U64,
    exited: Type.Boolean(),
    exitCode: nullable(I32),
    closed: Type.Boolean(),
    /** The size of the terminal behind `afterSeq`, then every change until `nextSeq`. */
    sizes: Type.Array(refTo(TerminalResize)),
    omitted: optional(refTo(OmittedOutput)),
  }),
);

export const ObserveTreeParams = named('ObserveTreeParams', Type.Object(TARGET));

/** One living process of a tree. */
export const TreeMember = named(
  'TreeMember',
  Type.Object({
    pid: U32,
    parentPid: U32,
    /** What it calls itself; what looks like a secret is masked. */
    argv: Type.Array(Type.String()),
    state: stringEnum(['running', 'sleeping', 'waiting', 'stopped', 'other']),
    /** Processor time that it has used. */
    cpuMs: U64,
    residentBytes: U64,
  }),
);

export const ObserveTreeResult = named(
  'ObserveTreeResult',
  Type.Object({
    /** False where this host cannot tell. */
    known: Type.Boolean(),
    /** Parents first. */
    members: Type.Array(refTo(TreeMember)),
    /** How many more there are. */
    omitted: U32,
  }),
);

const WATCH = { watch: Type.String(), seq: U64, atMs: U64 };

export const ObserveOutputNotification = named(
  'ObserveOutputNotification',
  Type.Object({ ...WATCH, stream: OutputStream, chunk: Base64 }),
);

export const ObserveGapNotification = named(
  'ObserveGapNotification',
  Type.Object({
    watch: Type.String(),
    fromSeq: U64,
    toSeq: U64,
    bytes: U64,
    /** `evicted`: it is gone. `skipped`: a watch of mode `latest` jumped; `observe/read` may still have it. */
    why: stringEnum(['evicted', 'skipped']),
  }),
);

export const ObserveResizedNotification = named(
  'ObserveResizedNotification',
  Type.Object({ ...WATCH, rows: U16, cols: U16 }),
);

export const ObserveExitedNotification = named(
  'ObserveExitedNotification',
  Type.Object({
    ...WATCH,
    exitCode: I32,
    sandboxDenied: Type.Boolean(),
    denial: optional(refTo(SandboxDenial)),
    stopped: optional(refTo(SandboxStop)),
  }),
);

export const ObserveClosedNotification = named('ObserveClosedNotification', Type.Object(WATCH));

export const ObserveEndedNotification = named(
  'ObserveEndedNotification',
  Type.Object({
    watch: Type.String(),
    /** `complete`: `observe/closed` was sent. `forgotten`: the server no longer keeps the process. */
    reason: stringEnum(['complete', 'forgotten', 'sessionEnded']),
  }),
);

export const ControlSignalParams = named(
  'ControlSignalParams',
  Type.Object({ ...TARGET, signal: refTo(ProcessSignal) }),
);

export const ControlTerminateParams = named(
  'ControlTerminateParams',
  Type.Object({ ...TARGET, mode: optional(refTo(TerminateMode)) }),
);

export const ControlWriteParams = named(
  'ControlWriteParams',
  Type.Object({ ...TARGET, chunk: Base64, writeId: optional(Type.String()) }),
);

export const ControlResizeParams = named(
  'ControlResizeParams',
  Type.Object({ ...TARGET, rows: U16, cols: U16 }),
);

/** To the owner of a session that asked for `interventions` at `initialize`. */
export const SessionObservedNotification = named(
  'SessionObservedNotification',
  Type.Object({ observers: U32 }),
);

export const SessionInterventionNotification = named(
  'SessionInterventionNotification',
  Type.Object({
    processId: Type.String(),
    what: stringEnum(['signal', 'terminate', 'write', 'resize']),
    by: Type.String(),
  }),
);

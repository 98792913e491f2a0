// One process as the console shows it, made from the server's summaries and from the journal.

import type { JournalEvent, ProcessSummary, SandboxDenial } from '@codex/exec-protocol';
import { commandTitle, plainPath } from '../text/safe-text.js';

export type ProcessState = 'starting' | 'running' | 'exited' | 'closed' | 'refused' | 'lost';

export interface ProcessRow {
  readonly key: string;
  /** How many had its id before: one that the server has forgotten may be given away again. */
  readonly predecessors: number;
  readonly session: string;
  readonly processId: string;
  readonly argv: readonly string[];
  readonly title: string;
  readonly cwd: string;
  readonly tty: boolean;
  readonly pid?: number | undefined;
  readonly state: ProcessState;
  readonly exitCode?: number | undefined;
  readonly startedAtMs: number;
  readonly endedAtMs?: number | undefined;
  readonly rows?: number | undefined;
  readonly cols?: number | undefined;
  readonly sandboxType: string;
  readonly denied: boolean;
  readonly denial?: SandboxDenial | undefined;
  readonly stalled: boolean;
  /** Something of its tree lives, although the command itself may be over. */
  readonly alive: boolean;
  readonly toolCall?: string | undefined;
  readonly reason?: string | undefined;
}

export function processKey(session: string, processId: string): string {
  return `${session}/${processId}`;
}

export function rowOfSummary(session: string, summary: ProcessSummary, nowMs: number): ProcessRow {
  const { processId, argv, cwd, tty, state, pid } = summary;
  return {
    key: processKey(session, processId),
    predecessors: 0,
    session,
    processId,
    argv,
    title: commandTitle(argv),
    cwd: plainPath(cwd),
    tty,
    pid: pid ?? undefined,
    state,
    exitCode: summary.exitCode ?? undefined,
    startedAtMs: summary.startedAtMs ?? nowMs,
    endedAtMs: summary.endedAtMs ?? undefined,
    rows: summary.rows ?? undefined,
    cols: summary.cols ?? undefined,
    sandboxType: summary.sandboxType ?? 'none',
    denied: summary.sandboxDenied ?? false,
    denial: summary.denial ?? undefined,
    stalled: summary.stalled ?? false,
    alive: summary.alive ?? (state === 'running' || state === 'starting'),
    toolCall: summary.metadata?.toolCallId ?? undefined,
  };
}

type Of<Kind extends JournalEvent['kind']> = Extract<JournalEvent, { kind: Kind }>;

export function rowOfStart(event: Of<'processStarted'> | Of<'processRefused'>): ProcessRow {
  const { session, processId, argv, cwd, atMs } = event;
  const started = event.kind === 'processStarted';
  return {
    key: processKey(session, processId),
    predecessors: 0,
    session,
    processId,
    argv,
    title: commandTitle(argv),
    cwd: plainPath(cwd),
    tty: started && event.tty,
    pid: started ? event.pid : undefined,
    state: started ? 'running' : 'refused',
    startedAtMs: atMs,
    endedAtMs: started ? undefined : atMs,
    rows: started ? (event.rows ?? undefined) : undefined,
    cols: started ? (event.cols ?? undefined) : undefined,
    sandboxType: started ? event.sandboxType : 'none',
    denied: false,
    stalled: false,
    alive: started,
    toolCall: event.metadata?.toolCallId ?? undefined,
    reason: started ? undefined : event.reason,
  };
}

/** Whether `row` is another process than `known`, which had its id before. */
export function isSuccessor(row: ProcessRow, known: ProcessRow): boolean {
  return !known.alive && row.state !== 'refused' && row.startedAtMs > (known.endedAtMs ?? known.startedAtMs);
}

/** What an event of the journal changes about a process; undefined when it is about something else. */
export function changeOf(event: JournalEvent): Partial<ProcessRow> | undefined {
  if (event.kind === 'processExited') {
    return {
      state: 'exited',
      exitCode: event.exitCode,
      endedAtMs: event.atMs,
      denied: event.sandboxDenied,
      denial: event.denial ?? undefined,
      stalled: false,
    };
  }
  if (event.kind === 'processLost') {
    return { state: 'lost', reason: event.reason, endedAtMs: event.atMs, alive: false };
  }
  return SIMPLE_CHANGES[event.kind];
}

const SIMPLE_CHANGES: { readonly [Kind in JournalEvent['kind']]?: Partial<ProcessRow> } = {
  processClosed: { state: 'closed', stalled: false },
  processGone: { alive: false },
  processStalled: { stalled: true },
  processFlowing: { stalled: false },
};

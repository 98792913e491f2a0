// `process/read`: returns what is there after the reader's cursor, or waits for the next event, within a time limit.
import type { SandboxDenial, SandboxStop } from '@codex/exec-protocol';
import { exitDetails } from '../end/command-exit.js';
import type { ManagedProcess } from '../managed-process.js';
import { type ReadCursor, type ReadWindow, readWindow } from './read-window.js';

export interface ReadOutcome extends ReadWindow {
  readonly exited: boolean;
  readonly exitCode: number | null;
  readonly sandboxDenied: boolean;
  readonly denial?: SandboxDenial;
  readonly stopped?: SandboxStop;
  readonly closed: boolean;
  readonly failure: string | null;
}

export interface ReadRequest extends ReadCursor {
  readonly waitMs: number;
  /** Aborted when the reader is gone. */
  readonly signal: AbortSignal;
}

export function readProcess(
  process: ManagedProcess,
  request: ReadRequest,
): ReadOutcome | Promise<ReadOutcome> {
  return process.changes.wait({
    poll: () => {
      // Nothing is numbered beyond the cursor; with every change all who wait look.
      if (!process.isClosed && process.output.log.nextSeq - 1 <= request.afterSeq) return undefined;
      const outcome = look(process, request);
      return isWorthReturning(outcome, request.afterSeq) ? outcome : undefined;
    },
    onTimeout: () => look(process, request),
    timeoutMs: request.waitMs,
    signal: request.signal,
  });
}

/** A reply that the server cut short tells the state as of its last event: the end is still to come for the reader. */
function look(process: ManagedProcess, cursor: ReadCursor): ReadOutcome {
  const window = readWindow(process.output.log, cursor);
  const { exited } = process.output.log;
  const knowsExit = exited !== undefined && (!window.isPartial || exited.seq < window.nextSeq);
  return {
    ...window,
    exited: knowsExit,
    exitCode: knowsExit ? exited.exitCode : null,
    sandboxDenied: knowsExit && exited.sandboxDenied,
    ...(knowsExit ? exitDetails(exited) : {}),
    closed: process.isClosed && !window.isPartial,
    failure: process.failure,
  };
}

// upstream: exec-server/src/local_process.rs:500 – an exit that the reader has not been told of yet counts as news.
function isWorthReturning(outcome: ReadOutcome, afterSeq: number): boolean {
  if (outcome.chunks.length > 0 || outcome.closed) return true;
  return outcome.exited && afterSeq < outcome.nextSeq - 1;
}

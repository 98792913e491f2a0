// `process/wait`: waits until the command has ended, or until its output has too.
import type { SandboxDenial, SandboxStop } from '@codex/exec-protocol';
import { exitDetails } from '../end/command-exit.js';
import type { ManagedProcess } from '../managed-process.js';

export interface WaitOutcome {
  readonly exited: boolean;
  readonly exitCode: number | null;
  readonly closed: boolean;
  readonly sandboxDenied: boolean;
  readonly denial?: SandboxDenial;
  readonly stopped?: SandboxStop;
  readonly timedOut: boolean;
}

export interface WaitRequest {
  readonly until: 'exited' | 'closed';
  /** Undefined waits without end. */
  readonly timeoutMs: number | undefined;
  readonly signal: AbortSignal;
}

export function waitForProcess(
  process: ManagedProcess,
  request: WaitRequest,
): WaitOutcome | Promise<WaitOutcome> {
  const isOver = (): boolean => (request.until === 'exited' ? process.exit !== undefined : process.isClosed);
  const outcome = (timedOut: boolean): WaitOutcome => ({
    exited: process.exit !== undefined,
    exitCode: process.exit?.exitCode ?? null,
    closed: process.isClosed,
    sandboxDenied: process.exit?.sandboxDenied ?? false,
    ...exitDetails(process.exit ?? {}),
    timedOut,
  });
  return process.ends.wait({
    poll: () => (isOver() ? outcome(false) : undefined),
    onTimeout: () => outcome(!isOver()),
    timeoutMs: request.timeoutMs,
    signal: request.signal,
  });
}

// The exit codes of `exec-server run`, as env, timeout and docker run have them.

import { constants } from 'node:os';
import { ExecServerError, type Outcome } from '@codex/exec-client';

export const TIMED_OUT = 124;
export const TOOL_FAILED = 125;
export const NOT_EXECUTABLE = 126;
export const NOT_FOUND = 127;

export const EXIT_CODE_HELP = `
Exit codes:
  the command's own, or 128+N when signal N ended it
  ${TIMED_OUT}  the time of --timeout was over
  ${TOOL_FAILED}  exec-server run itself failed: wrong flags, no connection, no sandbox
  ${NOT_EXECUTABLE}  the command cannot be executed
  ${NOT_FOUND}  the command was not found`;

export function signalCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** `stoppedBy` is the signal that made this program stop the command. */
export function codeOfOutcome(outcome: Outcome, stoppedBy: NodeJS.Signals | undefined): number {
  switch (outcome.kind) {
    case 'exited':
    case 'denied':
      return ownCode(outcome.exitCode);
    case 'timedOut':
      return TIMED_OUT;
    case 'aborted':
    case 'terminated':
      return signalCode(stoppedBy ?? 'SIGKILL');
    case 'lost':
      return TOOL_FAILED;
  }
}

/** The kernel keeps the lowest byte of an exit code. What failed must not become a success by that. */
export function ownCode(exitCode: number): number {
  return exitCode === 0 ? 0 : exitCode & 0xff || TOOL_FAILED;
}

export function codeOfFailure(error: unknown): number {
  if (!ExecServerError.is(error, 'process.spawn')) return TOOL_FAILED;
  if (error.details.reason === 'notFound') return NOT_FOUND;
  return error.details.reason === 'notExecutable' ? NOT_EXECUTABLE : TOOL_FAILED;
}

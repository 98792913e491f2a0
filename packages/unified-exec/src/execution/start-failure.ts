// Why a command could not be started, in one sentence for a model.

import { ExecServerError } from '@codex/exec-client';
import { ToolFailure } from '../tool-error.js';

const HINTS: Readonly<Record<string, string>> = {
  cwdMissing: 'Check `workdir`: it has to be a folder that exists there.',
  notFound: 'Check `workdir`: it has to be a folder that exists there.',
  notExecutable: 'Check `workdir` and its permissions.',
  sandbox: 'The sandbox could not be set up; this is no fault of the command.',
};

export function startFailure(error: unknown, cwd: string): ToolFailure {
  if (!isExecServerError(error)) {
    // The client did not get as far as asking: a folder whose name no path can have.
    const why = error instanceof Error ? error.message : String(error);
    return new ToolFailure('tool.startFailed', `exec_command failed: cannot start in ${cwd}: ${why}`, {
      hint: 'Check `workdir`.',
      cause: error,
    });
  }
  const { code, message, retryable } = error;
  if (ExecServerError.is(error, 'process.spawn')) {
    // The server's own words; the client's message repeats the whole command line, however long that is.
    const { cause } = error;
    const why = cause instanceof Error ? cause.message : error.message;
    return new ToolFailure('tool.startFailed', `exec_command failed: cannot start in ${cwd}: ${why}`, {
      hint: HINTS[error.details.reason] ?? 'Change the command.',
      cause: error,
    });
  }
  const isGone = code.startsWith('transport.') || code === 'closed';
  return new ToolFailure(
    isGone ? 'tool.processLost' : 'tool.startFailed',
    `exec_command failed: ${message}`,
    {
      hint: retryable ? 'Call again if it does no harm twice.' : 'Change the call, or tell the user.',
      cause: error,
    },
  );
}

/** `instanceof` alone forgets the codes. */
function isExecServerError(error: unknown): error is ExecServerError {
  return error instanceof ExecServerError;
}

// The errors of a process that is lost to this client although its connection may work.

import { ExecServerError, isExecServerError } from '../../exec-server-error.js';

export function processFailure(processId: string, message: string): ExecServerError<'process.unknown'> {
  return new ExecServerError('process.unknown', `process ${processId} failed on the server: ${message}`, {
    details: { processId },
    admitted: true,
  });
}

export function asFailure(error: unknown): ExecServerError {
  if (isExecServerError(error)) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ExecServerError('protocol.violation', message, { details: { message }, cause: error });
}

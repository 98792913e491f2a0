// Turns a server's error reply into an ExecServerError. Servers use one code for several reasons, so the message
// decides too.

import { RpcError, RpcErrorCode } from '@codex/exec-protocol';
import { ExecServerError } from './exec-server-error.js';

export function rejected(method: string, error: RpcError): ExecServerError<'server.rejected'> {
  return new ExecServerError('server.rejected', `the server refused ${method}: ${error.message}`, {
    details: { method, rpcCode: error.code },
    cause: error,
  });
}

/** A failed `process/start`. */
export function spawnFailure(
  error: unknown,
  what: { readonly processId: string; readonly command: string; readonly cwd: string },
): unknown {
  if (!(error instanceof RpcError)) return error;
  const { processId, command, cwd } = what;
  if (error.message.endsWith('already exists') && error.code === RpcErrorCode.invalidRequest) {
    return new ExecServerError('process.idInUse', `process id ${processId} is in use in this session`, {
      details: { processId },
      cause: error,
    });
  }
  const reason = spawnReason(error);
  return new ExecServerError('process.spawn', `cannot start ${command} in ${cwd}: ${error.message}`, {
    details: { command, cwd, reason },
    ...spawnHint(error, reason, cwd),
    cause: error,
  });
}

/** On the server's machine, where the caller cannot look. Only some servers say what is missing. */
function spawnHint(
  { message, data }: RpcError,
  reason: SpawnReason,
  cwd: string,
): { readonly hint?: string } {
  if (reason === 'cwdMissing') {
    if (/os error 13\b/.test(message))
      return { hint: `The working directory ${cwd} may not be entered there.` };
    if (/os error 20\b/.test(message)) return { hint: `The working directory ${cwd} is no directory there.` };
    return { hint: `The working directory ${cwd} does not exist there.` };
  }
  if (reason !== 'notFound') return {};
  const isAboutProgram = typeof data === 'object' && data !== null && 'program' in data;
  return {
    hint: `The program ${isAboutProgram ? '' : 'or the working directory '}does not exist there.`,
  };
}

type SpawnReason = 'cwdMissing' | 'notFound' | 'notExecutable' | 'sandbox' | 'other';

function spawnReason({ message, data }: RpcError): SpawnReason {
  if (/sandbox/i.test(message)) return 'sandbox';
  const isAboutCwd = typeof data === 'object' && data !== null && 'cwd' in data;
  if (isAboutCwd || /\bcwd\b|working directory/i.test(message)) return 'cwdMissing';
  if (/os error 2\b|No viable candidates|not found|ENOENT/i.test(message)) return 'notFound';
  if (/os error 13\b|EACCES|permission denied|exec format/i.test(message)) return 'notExecutable';
  return 'other';
}

/** A failed file request. */
export function fsFailure(error: unknown, method: string, path: string): unknown {
  if (!(error instanceof RpcError)) return error;
  const { message, code } = error;
  const say = `${path}: ${message}`;
  if (code === RpcErrorCode.notFound) {
    return new ExecServerError('fs.notFound', say, { details: { path }, cause: error });
  }
  if (
    /os error (1|13|30)\b|permission denied|operation not permitted|read-only file system|sandbox/i.test(
      message,
    )
  ) {
    return new ExecServerError('fs.denied', say, { details: { path }, cause: error });
  }
  if (/os error 17\b|file exists|already exists/i.test(message)) {
    return new ExecServerError('fs.exists', say, { details: { path }, cause: error });
  }
  if (code === RpcErrorCode.methodNotFound || code === RpcErrorCode.invalidParams)
    return rejected(method, error);
  return new ExecServerError('fs.io', say, { details: { path }, cause: error });
}

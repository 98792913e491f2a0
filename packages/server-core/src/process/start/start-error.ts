// A launch that failed, as the client sees it: the operating system's text in the form clients know, and what it is about
// as data.
import { constants } from 'node:os';
import { internalError, invalidParams, RpcError, RpcErrorCode } from '@codex/exec-protocol';
import { LaunchError } from '@codex/launcher';
import type { StartRequest } from './start-request.js';

const TEXTS: Readonly<Record<string, string>> = {
  E2BIG: 'Argument list too long',
  EACCES: 'Permission denied',
  EAGAIN: 'Resource temporarily unavailable',
  EINVAL: 'Invalid argument',
  EIO: 'Input/output error',
  EISDIR: 'Is a directory',
  ELOOP: 'Too many levels of symbolic links',
  EMFILE: 'Too many open files',
  ENAMETOOLONG: 'File name too long',
  ENFILE: 'Too many open files in system',
  ENOENT: 'No such file or directory',
  ENOEXEC: 'Exec format error',
  ENOMEM: 'Cannot allocate memory',
  ENOSPC: 'No space left on device',
  ENOTDIR: 'Not a directory',
  EPERM: 'Operation not permitted',
  ESTALE: 'Stale file handle',
  ETXTBSY: 'Text file busy',
};

export function startError(error: unknown, request: StartRequest): RpcError {
  if (error instanceof RpcError) return error;
  if (!(error instanceof LaunchError)) return internalError(`failed to start the process: ${String(error)}`);
  if (error.stage === 'spec') return invalidParams(error.message);
  const text = osErrorText(error.errno) ?? error.message;
  const subject = subjectOf(error, request);
  if (subject !== undefined) return new RpcError(RpcErrorCode.internal, text, { data: subject });
  const isWholeText = error.errno === 'E2BIG' || text === error.message;
  return internalError(isWholeText ? text : `${text}: ${error.message}`);
}

function osErrorText(errno: string): string | undefined {
  const text = TEXTS[errno];
  const number = (constants.errno as Readonly<Record<string, number>>)[errno];
  return text === undefined || number === undefined ? undefined : `${text} (os error ${number})`;
}

/** What the text is about. Beside it and not in it: the text is shown to models, as every server gives it. */
function subjectOf({ stage, errno }: LaunchError, { argv, cwd }: StartRequest): object | undefined {
  if (stage === 'cwd') return { cwd };
  return stage === 'exec' && errno !== 'E2BIG' ? { program: argv[0] ?? '' } : undefined;
}

// Turns a failed launch into the client's error: the operating system's text in the form clients know, and as data
// which path it is about.
import { constants } from 'node:os';
import { internalError, invalidParams, osErrorText, RpcError, RpcErrorCode } from '@codex/exec-protocol';
import { LaunchError } from '@codex/launcher';
import type { StartRequest } from './start-request.js';

export function startError(error: unknown, request: StartRequest): RpcError {
  if (error instanceof RpcError) return error;
  if (!(error instanceof LaunchError)) return internalError(`failed to start the process: ${String(error)}`);
  if (error.stage === 'spec') return invalidParams(error.message);
  const text = systemText(error.errno) ?? error.message;
  const subject = subjectOf(error, request);
  if (subject !== undefined) return new RpcError(RpcErrorCode.internal, text, { data: subject });
  const isWholeText = error.errno === 'E2BIG' || text === error.message;
  return internalError(isWholeText ? text : `${text}: ${error.message}`);
}

function systemText(name: string): string | undefined {
  const errno = (constants.errno as Readonly<Record<string, number>>)[name];
  return errno === undefined ? undefined : osErrorText(name, errno);
}

/** What the text is about. Beside it and not in it: the text is shown to models, as every server gives it. */
function subjectOf({ stage, errno }: LaunchError, { argv, cwd }: StartRequest): object | undefined {
  if (stage === 'cwd') return { cwd };
  return stage === 'exec' && errno !== 'E2BIG' ? { program: argv[0] ?? '' } : undefined;
}

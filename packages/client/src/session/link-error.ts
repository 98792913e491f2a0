// What goes wrong with a session's connections, in the words of the client.

import type { ChannelClose, RpcTransportError } from '@codex/exec-rpc';
import { abortedError, ExecServerError, isExecServerError } from '../exec-server-error.js';
import type { ChannelOpener } from './channel-opener.js';

export function connectError(opener: ChannelOpener, error: unknown): ExecServerError {
  if (isExecServerError(error)) return error;
  const why = error instanceof Error ? error.message : String(error);
  return new ExecServerError('transport.connect', `cannot connect to ${opener.label}: ${why}`, {
    details: { target: opener.label, attempts: 1 },
    retryable: true,
    hint: 'Check that the exec-server runs and that its URL is right.',
    cause: error,
  });
}

export function transportError(
  error: RpcTransportError,
  method: string,
  signal: AbortSignal | undefined,
): ExecServerError {
  if (error.code === 'RPC_CALL_ABORTED') return abortedError(method, signal?.reason);
  return new ExecServerError('protocol.violation', error.message, {
    details: { message: error.message },
    admitted: 'unknown',
    cause: error,
  });
}

export function describeClose({ code, reason }: ChannelClose): string {
  return [reason === '' ? 'connection closed' : reason, code === undefined ? '' : `(${code})`]
    .filter(Boolean)
    .join(' ');
}

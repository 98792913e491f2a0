// The errors of a session's connections.

import { CodedError, oldNodeComplaint, RpcError, RpcErrorCode } from '@codex/exec-protocol';
import type { ChannelClose, RpcTransportError } from '@codex/exec-rpc';
import { abortedError, ExecServerError, isExecServerError } from '../exec-server-error.js';
import type { ChannelOpener } from '../platform.js';

/** Failures to connect that come from an answer, which will be the same next time. */
const REFUSALS: ReadonlySet<string> = new Set([
  'CONNECT_UNAUTHORIZED',
  'CONNECT_FORBIDDEN',
  'CONNECT_NOT_A_WEBSOCKET',
  'CONNECT_BAD_URL',
  'FLEET_LOST',
  'FLEET_CREDENTIALS',
  'FLEET_ADDRESS',
  'FLEET_NAME',
  'unsupported',
]);

/** Without this the failure would be one of the connection, and the server would be looked at. */
export function refuseOldNode(opener: ChannelOpener): void {
  const complaint = oldNodeComplaint();
  if (complaint === undefined) return;
  throw new ExecServerError('transport.connect', complaint, {
    details: { target: opener.label, attempts: 0 },
  });
}

export function connectError(
  opener: ChannelOpener,
  error: unknown,
  resumed: string | undefined,
): ExecServerError {
  if (isExecServerError(error)) return error;
  if (resumed !== undefined && error instanceof RpcError) {
    const refusal = resumeError(resumed, error);
    if (refusal !== undefined) return refusal;
  }
  if (error instanceof CodedError && error.code === 'FLEET_NO_CAPACITY')
    return noCapacity(error as CodedError);
  const why = error instanceof Error ? error.message : String(error);
  const message = why.includes(opener.label) ? why : `cannot connect to ${opener.label}: ${why}`;
  return new ExecServerError('transport.connect', message, {
    details: { target: opener.label, attempts: 1 },
    retryable: isWorthRetrying(error),
    ...hintFor(error),
    cause: error,
  });
}

/** What went wrong in a fleet says itself what to do. */
function hintFor(error: unknown): { readonly hint?: string } {
  const code = error instanceof CodedError ? String(error.code) : '';
  if (code.startsWith('FLEET_')) return {};
  if (code === 'CONNECT_UNAUTHORIZED') return { hint: 'Pass the token that the server expects.' };
  return { hint: 'Check that the exec-server runs and that its URL is right.' };
}

function noCapacity(error: CodedError): ExecServerError<'fleet.noCapacity'> {
  const { environment, waitedMs } = error.details;
  return new ExecServerError('fleet.noCapacity', error.message, {
    details: { environment: String(environment), waitedMs: Number(waitedMs) },
    retryable: true,
    hint: 'Start more machines in the environment, or wait longer (fleet.acquireTimeoutMs).',
    cause: error,
  });
}

/** A session that cannot be taken up although the server answers. */
function resumeError(sessionId: string, error: RpcError): ExecServerError | undefined {
  if (error.code === RpcErrorCode.sessionAttached) {
    return new ExecServerError('session.held', `session ${sessionId} is held by another connection`, {
      details: { sessionId },
      retryable: true,
      hint: 'Close the client that holds it; a holder that does not answer is replaced after a while.',
      cause: error,
    });
  }
  if (!isUnknownSession(error)) return undefined;
  return new ExecServerError('session.unknown', `the server has no session ${sessionId} any more`, {
    details: { sessionId },
    hint: 'Its time without a connection was over, or the server was started anew. Connect without resume.',
    cause: error,
  });
}

export function isUnknownSession(error: unknown): boolean {
  return error instanceof RpcError && /unknown session/i.test(error.message);
}

/**
 * "Unknown session id" alone does not tell that the server is there again and only what it ran is gone. A gateway says behind the
 * id what has become of the machine.
 */
export function whyNotResumed(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  if (!isUnknownSession(error) || /unknown session id \S+: /i.test(message)) return message;
  return 'the server answers but no longer has the session: it was started anew, or took too long to reach';
}

// A server that answers and refuses will refuse again, except while it still believes in the old connection.
export function isWorthRetrying(error: unknown): boolean {
  if (error instanceof RpcError) return error.code === RpcErrorCode.sessionAttached;
  return !(error instanceof CodedError && REFUSALS.has(String(error.code)));
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

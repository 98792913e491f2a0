// What a run came to, as the SDK wants it.

import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import { InvalidCallError } from './invalid-call-error.js';
import type { RunOutcome } from './tool-run.js';

/** Throws the JSON-RPC error of a run that gave no result. */
export function callResult(outcome: RunOutcome): CallToolResult {
  if (outcome.kind === 'error') throw protocolError(outcome.error);
  const { text, structured, isError } = outcome.result;
  return {
    content: [{ type: 'text', text }],
    structuredContent: { ...structured },
    ...(isError === true ? { isError } : {}),
  };
}

export function protocolError(error: unknown): ProtocolError {
  const message = error instanceof Error ? error.message : String(error);
  const isInvalid = error instanceof InvalidCallError;
  return new ProtocolError(
    isInvalid ? ProtocolErrorCode.InvalidParams : ProtocolErrorCode.InternalError,
    message,
  );
}

// Why a file request failed.

import { ExecServerError } from '@codex/exec-client';

/** The server's own words: those of the client begin with the path. */
export function reasonOf(error: unknown): string {
  const { cause } = error instanceof ExecServerError ? error : { cause: undefined };
  if (cause instanceof Error) return cause.message;
  return error instanceof Error ? error.message : String(error);
}

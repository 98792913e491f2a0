// What went wrong, as one sentence for a person.

import { ExecServerError } from '@codex/exec-client';

export function failureSentence(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  const hint = error instanceof ExecServerError && error.hint !== undefined ? ` (${error.hint})` : '';
  return oneLine(message + hint);
}

/** A server's text must not move the cursor of whoever reads it. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}

// Words an error as one sentence for a person.

import { ExecServerError } from '@codex/exec-client';
import { visibleText } from '@codex/exec-protocol';

export function failureSentence(error: unknown): string {
  const message = messageOf(error);
  const hint = error instanceof ExecServerError && error.hint !== undefined ? ` (${error.hint})` : '';
  return oneLine(message + hint);
}

/** The cause of a failed connection names the address; the client only knows that it was given a channel. */
function messageOf(error: unknown): string {
  if (ExecServerError.is(error, 'transport.connect') && error.cause instanceof Error)
    return error.cause.message;
  return error instanceof Error ? error.message : String(error);
}

/** A server's text must not move the cursor of the terminal it is printed on. */
function oneLine(text: string): string {
  return visibleText(text.replace(/\p{Cc}+/gu, ' ').trim());
}

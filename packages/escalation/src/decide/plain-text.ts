// Text of the sandboxed side in a sentence that a person decides by: nothing in it may hide, reorder or imitate the rest.
import { spelledOut, visibleText } from '@codex/exec-protocol';

const LONGEST = 2000;

/** In quotes where it is not a plain word; what cannot be seen, or changes the order of what is seen, is written out. */
export function quotedWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${visible(word).replaceAll("'", "\\'")}'`;
}

/** A backtick would end the quotation of the command. */
export function visible(text: string): string {
  return visibleText(text).replaceAll('`', spelledOut);
}

/** The start and the end of a text that is too long to be read, with the number of characters between them. */
export function shortened(text: string, longest = LONGEST): string {
  if (text.length <= longest) return text;
  const half = Math.floor(longest / 2);
  const omitted = text.length - 2 * half;
  return `${text.slice(0, half)} [… ${omitted} characters …] ${text.slice(-half)}`;
}

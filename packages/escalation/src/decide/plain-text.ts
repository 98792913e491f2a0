// Text of the sandboxed side in a sentence that a person decides by: nothing in it may hide, reorder or imitate the rest.
import { spelledOut, visibleText } from '@codex/exec-protocol';

const LONGEST = 2000;

/** In quotes where it is not a plain word; what cannot be seen, or changes the order of what is seen, is written out. */
export function quotedWord(word: string): string {
  if (/^[\w@%+=:,./-]+$/.test(word)) return word;
  // Doubled first: otherwise a backslash could stand for a line break, or let what follows look like a part of this word.
  return `'${visible(word.replaceAll('\\', '\\\\')).replaceAll("'", "\\'")}'`;
}

/** As much as can be read: of very many words the first and the last, and the number of those between. */
export function quotedWords(words: readonly string[]): string {
  const first = wordsWithin(LONGEST / 2, words);
  const rest = words.slice(first.length);
  const last = wordsWithin(LONGEST / 2, rest.reverse()).reverse();
  const omitted = rest.length - last.length;
  return [...first, ...(omitted === 0 ? [] : [`[… ${omitted} words …]`]), ...last].join(' ');
}

/** Quoted, the one that goes beyond included. */
function wordsWithin(characters: number, words: readonly string[]): string[] {
  const taken: string[] = [];
  for (let length = 0; length < characters && taken.length < words.length; ) {
    const word = cutWord(words[taken.length] ?? '');
    taken.push(word);
    length += word.length + 1;
  }
  return taken;
}

/** What is written out takes more room than it had: then less of it is shown. */
function cutWord(word: string): string {
  for (let longest = LONGEST; ; longest /= 2) {
    const text = quotedWord(shortened(word, longest));
    if (text.length <= 2 * LONGEST) return text;
  }
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

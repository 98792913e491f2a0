// Text of the sandboxed side in a sentence that a person decides by: nothing in it may hide, reorder or imitate the rest.

const LONGEST = 2000;

/** In quotes where it is not a plain word; what cannot be seen, or changes the order of what is seen, is written out. */
export function quotedWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${visible(word).replaceAll("'", "\\'")}'`;
}

export function visible(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}`]|(?! )\p{Zs}|\p{Default_Ignorable_Code_Point}/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** The start and the end of a text that is too long to be read, with the number of characters between them. */
export function shortened(text: string, longest = LONGEST): string {
  if (text.length <= longest) return text;
  const half = Math.floor(longest / 2);
  const omitted = text.length - 2 * half;
  return `${text.slice(0, half)} [… ${omitted} characters …] ${text.slice(-half)}`;
}

// `canonical_matching`: texts are the same when they differ in case only, in the full sense of Unicode ("straße" is
// "STRASSE", the Kelvin sign is k), or in how a character is composed. The tables are those of the JavaScript engine.

const ASCII = /^[\0-\x7f]*$/;
/** The dotless i is a letter of its own: its capital is I, but it is not i. */
const DOTLESS_I = 'ı';
/** At the end of a word. */
const FINAL_SIGMA = 'ς';

export function canonicalForm(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return text.normalize('NFD').split(DOTLESS_I).map(foldCase).join(DOTLESS_I).normalize('NFD');
}

/** Characters beyond U+FFFF stand for one of before it, and nothing becomes shorter than that. */
const SHORTEST = 1 / 2;

/** The form, unless it is longer than `longest`: then no form of that length or less is the same. */
export function canonicalFormWithin(longest: number, text: string): string | undefined {
  return text.length * SHORTEST > longest ? undefined : canonicalForm(text);
}

/**
 * Small, capital, small: by way of the capital all small forms meet, and a small sharp s becomes ss. A whole text at a time, because a
 * word of a command may have megabytes; only the small sigma depends on what stands around it.
 */
function foldCase(text: string): string {
  return text.toLowerCase().toUpperCase().toLowerCase().replaceAll(FINAL_SIGMA, 'σ');
}

// `canonical_matching`: texts are the same when they differ in case only, in the full sense of Unicode ("straße" is
// "STRASSE", the Kelvin sign is k), or in how a character is composed. The tables are those of the JavaScript engine.

const ASCII = /^[\0-\x7f]*$/;
/** The dotless i is a letter of its own: its capital is I, but it is not i. */
const DOTLESS_I = 'ı';

export function canonicalForm(text: string): string {
  if (ASCII.test(text)) return text.toLowerCase();
  return [...text.normalize('NFD')].map(foldCase).join('').normalize('NFD');
}

/** Small, capital, small: by way of the capital all small forms meet, and a small sharp s becomes ss. */
function foldCase(character: string): string {
  return character === DOTLESS_I ? character : character.toLowerCase().toUpperCase().toLowerCase();
}

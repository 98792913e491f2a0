import { describe, expect, it } from 'vitest';
import { canonicalForm, canonicalFormWithin } from './canonical-form.js';

/** What is compared with: one character after the other. */
function plainForm(text: string): string {
  const fold = (character: string) =>
    character === 'ı' ? character : character.toLowerCase().toUpperCase().toLowerCase();
  return [...text.normalize('NFD')].map(fold).join('').normalize('NFD');
}

describe('canonicalForm', () => {
  it('is made of whole texts as it is of single characters', () => {
    const changing = Array.from({ length: 0x30000 }, (_, code) => String.fromCodePoint(code)).filter((one) =>
      /[\p{M}\p{Changes_When_NFKC_Casefolded}\p{Cased}]/u.test(one),
    );
    for (let at = 0; at < changing.length; at += 1000) {
      const run = changing.slice(at, at + 1000);
      for (const between of ['', ' ', 'Σ', 'aς', 'ıI', '\u0307', '\u0345']) {
        const text = run.join(between);
        expect(canonicalForm(text) === plainForm(text), `${at} ${between}`).toBe(true);
      }
    }
  });

  it('is never shorter than half of the text', () => {
    const characters = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code));
    expect(characters.filter((one) => canonicalForm(one).length * 2 < one.length)).toEqual([]);
    expect(canonicalFormWithin(1, '\u{2f800}')).toBe('丽');
    expect(canonicalFormWithin(1, 'abc')).toBeUndefined();
  });

  it.each([
    ['GIT', 'git'],
    ['straße', 'STRASSE'],
    ['ẞ', 'ss'],
    ['\u212a', 'k'],
    ['é', 'e\u0301'],
    ['É', 'e\u0301'],
    ['ΣΑΣ', 'σας'],
    ['ﬁ', 'FI'],
    ['İ', 'i\u0307'],
    ['ᾳ', 'α\u0345'],
    ['Ꭰ', 'ꭰ'],
    ['\u01c4', '\u01c6'],
  ])('%s is %s', (left, right) => {
    expect(canonicalForm(left)).toBe(canonicalForm(right));
  });

  it.each([
    ['ı', 'i'],
    ['Ａ', 'a'],
    ['²', '2'],
    ['\u01c4', 'dž'],
    ['a\u200db', 'ab'],
  ])('%s is not %s', (left, right) => {
    expect(canonicalForm(left)).not.toBe(canonicalForm(right));
  });
});

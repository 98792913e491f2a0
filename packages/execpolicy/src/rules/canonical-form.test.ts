import { describe, expect, it } from 'vitest';
import { canonicalForm } from './canonical-form.js';

describe('canonicalForm', () => {
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

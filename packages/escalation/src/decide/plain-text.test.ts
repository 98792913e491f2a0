import { describe, expect, it } from 'vitest';
import { quotedWords } from './plain-text.js';

describe('quotedWords', () => {
  it('shows words as they would be typed', () => {
    expect(quotedWords(['git', 'push', 'a b', "it's", ''])).toBe("git push 'a b' 'it\\'s' ''");
    const long = ['x'.repeat(900), 'y'.repeat(900)];
    expect(quotedWords(long)).toBe(long.join(' '));
  });

  it('shows different words differently', () => {
    expect(quotedWords(['a\nb'])).toBe("'a\\nb'");
    expect(quotedWords(['a\\nb'])).toBe("'a\\\\nb'");
    expect(quotedWords(['a\\', '-f', "'"])).toBe("'a\\\\' -f '\\''");
  });

  it('shows the first and the last of very many, and says how many are between', () => {
    const words = Array.from({ length: 100_000 }, (_, index) => `w${index}`);
    const text = quotedWords(words);
    expect(text).toMatch(/^w0 w1 .* \[… 99\d{3} words …] .* w99998 w99999$/);
    expect(text.length).toBeLessThan(2200);
  });

  it('shows both ends of a long word', () => {
    const text = quotedWords(['tool', `${'a'.repeat(100_000)}z`, 'end']);
    expect(text).toMatch(/^tool 'a+ \[… 98001 characters …] a+z' end$/);
    expect(text.length).toBeLessThan(2200);
  });

  it('does not take its time with words of megabytes, or with millions of words', () => {
    for (const words of [['\u202e'.repeat(8_000_000)], Array.from({ length: 2_000_000 }, () => '\u202e')]) {
      expect(quotedWords(words).length).toBeLessThan(5000);
    }
  });
});

import { expect, it } from 'vitest';
import { visibleText } from './visible-text.js';

it('leaves what a person can read as it is', () => {
  expect(visibleText("git commit -m 'größer 漢字 👍'")).toBe("git commit -m 'größer 漢字 👍'");
});

it.each([
  ['line\nand\ttab\rend', 'line\\nand\\ttab\\rend'],
  ['\u001b[31mred\u0007', '\\u{1b}[31mred\\u{7}'],
  ['exe\u202egnp.txt', 'exe\\u{202e}gnp.txt'],
  ['a\u200bb\u{e0041}\u3164', 'a\\u{200b}b\\u{e0041}\\u{3164}'],
  ['no\u00a0break', 'no\\u{a0}break'],
  ['\ud800', '\\u{d800}'],
])('spells out what cannot be seen: %j', (text, shown) => {
  expect(visibleText(text)).toBe(shown);
});

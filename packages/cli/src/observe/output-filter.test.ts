import { expect, it } from 'vitest';
import { OutputFilter } from './output-filter.js';

const filter = (...blocks: string[]): string => {
  const output = new OutputFilter();
  return blocks.map((block) => Buffer.from(output.take(Buffer.from(block))).toString()).join('');
};

it('keeps text and colours', () => {
  expect(filter('plain ä 漢\n\x1b[1;31mred\x1b[0m\x1b[38:5:1mx\t')).toBe(
    'plain ä 漢\n\x1b[1;31mred\x1b[0m\x1b[38:5:1mx\t',
  );
});

it.each([
  ['a question for the cursor', 'a\x1b[6nb'],
  ['device attributes', 'a\x1b[>cb'],
  ['the clipboard', 'a\x1b]52;c;AAAA\x07b'],
  ['a title that ends with ST', 'a\x1b]0;evil\x1b\\b'],
  ['DECRQSS', 'a\x1bP$qm\x1b\\b'],
  ['modifyOtherKeys, which also ends with m', 'a\x1b[>4;2mb'],
  ['clearing the screen', 'a\x1b[2Jb'],
  ['a reset', 'a\x1bcb'],
  ['a character set', 'a\x1b(0b'],
  ['a bell and a delete', 'a\x07\x7fb'],
])('drops %s', (_name, text) => {
  expect(filter(text)).toBe('ab');
  // Wherever it is cut.
  for (let at = 1; at < text.length; at++) expect(filter(text.slice(0, at), text.slice(at))).toBe('ab');
});

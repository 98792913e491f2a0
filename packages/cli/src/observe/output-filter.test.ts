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

/** Colours are kept. */
const COLOUR = new RegExp(`${String.fromCharCode(0x1b)}\\[[\\d;:]*m`, 'g');

const bytes = (...parts: (string | number)[]): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part) : Buffer.of(part))));

it.each([
  ['a question in two bytes', bytes('a\u009b6nb')],
  ['a question in one byte', bytes('a', 0x9b, '6nb')],
  ['the clipboard in two bytes', bytes('a\u009d52;c;AAAA\x07b')],
  ['a title that ends with ST', bytes('a', 0x9d, '0;evil\x1b\\b')],
  ['DECRQSS', bytes('a\u0090$qm\x1b\\b')],
  ['an application command', bytes('a\u009fevil\x1b\\b')],
  ['a next line and an index', bytes('a\u0085\u0084', 0x85, 'b')],
  ['an escape in two bytes', bytes('a', 0xc0, 0x9b, '[6nb').subarray(0, 3), bytes('6nb')],
  ['a control in three bytes', bytes('a', 0xe0, 0x82, 0x9b, 'b')],
  ['a control in four bytes', bytes('a', 0xf0, 0x80, 0x82, 0x9b, 'b')],
  ['bytes that begin nothing', bytes('a', 0xff, 0xf5, 0xc1, 'b')],
])('drops %s', (_name, first, second = bytes()) => {
  const whole = Buffer.concat([first, second]);
  for (let at = 0; at <= whole.length; at++) {
    const output = new OutputFilter();
    const kept = [whole.subarray(0, at), whole.subarray(at)].map((block) => output.take(block));
    expect(Buffer.concat(kept).toString()).toBe('ab');
  }
});

it('never lets a control through, whatever stands around it', () => {
  const alphabet = [
    0x1b, 0x5b, 0x9b, 0x9d, 0xc0, 0xc2, 0xc3, 0xe0, 0xe2, 0xf0, 0x80, 0x82, 0xa9, 0x41, 0x6d, 0x07,
  ];
  for (let round = 0; round < 20_000; round++) {
    const block = Uint8Array.from(
      { length: 12 },
      (_, index) => alphabet[(round * 7919 + index * (round % 97)) % 16] ?? 0,
    );
    const kept = Buffer.from(new OutputFilter().take(block));
    const shown = kept.toString().replaceAll(COLOUR, '');
    expect([...shown].filter((character) => /\p{Cc}/u.test(character))).toEqual([]);
  }
});

it('keeps what only looks like a control: parts of characters, and other bytes of old alphabets', () => {
  const text = 'ꛛ 漢 ✛ \u{1f6db} À \u{a0}';
  expect(filter(text)).toBe(text);
  const latin = bytes('caf', 0xe9, ' ', 0xa9, '.');
  expect(Buffer.from(new OutputFilter().take(latin))).toEqual(latin);
});

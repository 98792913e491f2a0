import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeWhole, Utf8Carry } from './utf8-carry.js';

// One to four bytes each, at the edges of their ranges.
const CHARACTERS = [
  '\0',
  'a',
  '\x7f',
  '\x80',
  'é',
  '\u07ff',
  '\u0800',
  '€',
  '\ufffd',
  '\u{10000}',
  '😀',
  '\u{10ffff}',
];
const TEXT = fc.array(fc.constantFrom(...CHARACTERS), { maxLength: 40 }).map((parts) => parts.join(''));

describe('Utf8Carry', () => {
  it('gives the same text for every way of cutting it', () => {
    fc.assert(
      fc.property(TEXT, fc.array(fc.nat(12), { maxLength: 20 }), (text, cuts) => {
        const bytes = new TextEncoder().encode(text);
        const expected = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
        const carry = new Utf8Carry();
        let decoded = '';
        let start = 0;
        for (const size of [...cuts, bytes.length]) {
          const chunk = bytes.subarray(start, start + size);
          start += chunk.length;
          decoded += decodeWhole(chunk, carry.next(chunk));
        }
        expect(decoded).toBe(expected);
        expect(carry.pending).toHaveLength(0);
      }),
      { seed: 7 },
    );
  });

  it('holds back only what may become a character', () => {
    const carry = new Utf8Carry();
    const held = (...bytes: number[]): number => {
      carry.reset();
      carry.next(Uint8Array.from(bytes));
      return carry.pending.length;
    };
    expect(held(0x61, 0xc3)).toBe(1);
    expect(held(0xe2, 0x82)).toBe(2);
    expect(held(0xf0, 0x9f, 0x98)).toBe(3);
    expect(held(0xff)).toBe(0);
    expect(held(0xc0)).toBe(0);
    expect(held(0x80, 0x80, 0x80)).toBe(0);
    expect(held(0xc3, 0xa9)).toBe(0);
  });
});

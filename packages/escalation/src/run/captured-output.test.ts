import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CapturedOutput } from './captured-output.js';

function capture(maxBytes: number, ...blocks: (string | Uint8Array)[]) {
  const output = new CapturedOutput(maxBytes);
  for (const block of blocks) output.add(Buffer.from(block));
  return output.read();
}

describe('CapturedOutput', () => {
  it('keeps everything within its bound', () => {
    expect(capture(10, 'hello', 'world')).toEqual({ text: 'helloworld', omittedBytes: 0 });
    expect(capture(10)).toEqual({ text: '', omittedBytes: 0 });
    expect(capture(10, 'hello', 'wor')).toEqual({ text: 'hellowor', omittedBytes: 0 });
  });

  it('keeps the beginning and the end, and counts what is between', () => {
    expect(capture(6, 'abc', 'defghi', 'xyz')).toEqual({
      text: 'abc\n[… 6 bytes omitted …]\nxyz',
      omittedBytes: 6,
    });
  });

  it('does not cut a character', () => {
    // The euro sign has three bytes: two of the first and one of the last would be kept.
    expect(capture(4, '€', 'x'.repeat(10), 'ä€')).toEqual({
      text: '\n[… 18 bytes omitted …]\n',
      omittedBytes: 18,
    });
    expect(capture(8, 'a€', 'x'.repeat(10), '€b')).toMatchObject({ text: 'a€\n[… 10 bytes omitted …]\n€b' });
  });

  it('turns what is no UTF-8 into the replacement character', () => {
    expect(capture(100, Uint8Array.of(0x61, 0xff, 0x62)).text).toBe('a\ufffdb');
    expect(capture(100, Buffer.from([0xe2, 0x82]), Buffer.from([0xac])).text).toBe('€');
  });

  it('counts exactly, whatever comes in which blocks', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ minLength: 1, maxLength: 40, unit: 'binary-ascii' })),
        fc.integer({ min: 0, max: 50 }),
        (blocks, maxBytes) => {
          const all = blocks.join('');
          const { text, omittedBytes } = capture(maxBytes, ...blocks);
          if (all.length <= maxBytes) expect({ text, omittedBytes }).toEqual({ text: all, omittedBytes: 0 });
          else {
            const head = all.slice(0, Math.ceil(maxBytes / 2));
            const tail = all.slice(all.length - Math.floor(maxBytes / 2));
            const note = `\n[… ${omittedBytes} bytes omitted …]\n`;
            expect(text).toBe(`${head}${note}${tail}`);
            expect(omittedBytes).toBe(all.length - head.length - tail.length);
          }
        },
      ),
    );
  });
});

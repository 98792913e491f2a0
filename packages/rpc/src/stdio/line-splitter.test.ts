import { describe, expect, it } from 'vitest';
import { LineSplitter, LineTooLongError } from './line-splitter.js';

function split(chunks: readonly (string | Buffer)[], max = 100, skipsLongLines = false): string[] {
  const lines: string[] = [];
  const splitter = new LineSplitter(
    max,
    (line) => lines.push(line.toString()),
    (error) => {
      if (skipsLongLines) lines.push(error.code);
      else throw error;
    },
  );
  for (const chunk of chunks) splitter.push(Buffer.from(chunk));
  splitter.end();
  return lines;
}

describe('LineSplitter', () => {
  it('ends lines at LF and CRLF, wherever the chunks are cut', () => {
    const text = 'one\r\ntwo\n\r\n\nümläut €🎉\nlast';
    const expected = ['one', 'two', '', '', 'ümläut €🎉', 'last'];
    const bytes = Buffer.from(text);
    expect(split([text])).toEqual(expected);
    expect(split([...bytes].map((byte) => Buffer.from([byte])))).toEqual(expected);
    for (let cut = 0; cut <= bytes.length; cut++) {
      expect(split([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(expected);
    }
  });

  it('keeps a CR that is not followed by LF', () => {
    expect(split(['a\rb\r\n'])).toEqual(['a\rb']);
    expect(split(['a\r', 'b\n'])).toEqual(['a\rb']);
  });

  it('counts a line without its ending against the limit', () => {
    expect(split(['12345\r\n12345\n12345'], 5)).toEqual(['12345', '12345', '12345']);
    expect(split(['12345\r', '\n'], 5)).toEqual(['12345']);
    expect(() => split(['123456\n'], 5)).toThrow(LineTooLongError);
    expect(() => split(['12345', '6'], 5)).toThrow(LineTooLongError);
    expect(() => split(['12345\r', 'x\n'], 5)).toThrow(LineTooLongError);
  });

  it('goes on behind a line that is too long', () => {
    const bytes = Buffer.from('1\n1234567890\n2\r\n123456');
    const expected = ['1', 'LINE_TOO_LONG', '2', 'LINE_TOO_LONG'];
    expect(split([bytes], 5, true)).toEqual(expected);
    expect(
      split(
        [...bytes].map((byte) => Buffer.from([byte])),
        5,
        true,
      ),
    ).toEqual(expected);
  });

  it('takes time in proportion to the length of a line', () => {
    const chunk = Buffer.alloc(64 * 1024, 0x61);
    let length = 0;
    const splitter = new LineSplitter(
      64 * 1024 * 1024,
      (line) => {
        length = line.length;
      },
      () => undefined,
    );
    const started = performance.now();
    for (let index = 0; index < 1024; index++) splitter.push(chunk);
    splitter.push(Buffer.from('\n'));
    expect(length).toBe(64 * 1024 * 1024);
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

import { describe, expect, it } from 'vitest';
import { WholeFile } from './whole-file.js';

const bytes = (text: string) => new TextEncoder().encode(text);

describe('WholeFile', () => {
  it('joins blocks, whatever was expected', () => {
    for (const expected of [undefined, 0, 3, 6, 100]) {
      const file = new WholeFile();
      if (expected !== undefined) file.expect(expected);
      for (const block of ['ab', '', 'cde', 'f']) file.add(bytes(block));
      expect(file.length).toBe(6);
      expect(file.finish()).toEqual(bytes('abcdef'));
    }
  });

  it('has no more memory than bytes when the guess was right', () => {
    const file = new WholeFile();
    file.add(bytes('ab'));
    file.expect(4);
    file.add(bytes('cd'));
    expect(file.finish().buffer.byteLength).toBe(4);
    expect(new WholeFile().finish()).toEqual(bytes(''));
  });
});

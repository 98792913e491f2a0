import { describe, expect, it } from 'vitest';
import { decodeIndex, encodeIndex } from './cache-index.js';

const parts = new Map([
  ['program.js', { size: 10, mtimeMs: 1.5, data: Buffer.from('compiled') }],
  ['chunk-A.js', { size: 20, mtimeMs: 2, data: Buffer.from('more of it') }],
]);

describe('the form of the code cache', () => {
  it('gives back what was put into it', () => {
    const { index, data } = decodeIndex(encodeIndex(parts));
    for (const [name, part] of parts) {
      const { size, mtimeMs, offset, length } = index[name] ?? { size: 0, mtimeMs: 0, offset: 0, length: 0 };
      expect({ size, mtimeMs, data: data.subarray(offset, offset + length) }).toEqual(part);
    }
  });

  it('places each file where V8 may read words', () => {
    const { index } = decodeIndex(encodeIndex(parts));
    expect(Object.values(index).map(({ offset }) => offset % 8)).toEqual([0, 0]);
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['an index that is longer than the file', Buffer.from([255, 255, 0, 0, 123])],
    ['something else', Buffer.from([5, 0, 0, 0, ...Buffer.from('hello')])],
    ['a file that was cut', encodeIndex(parts).subarray(0, -8)],
  ])('takes %s for an empty one', (_what, content) => {
    expect(decodeIndex(content)).toEqual({ index: {}, data: Buffer.alloc(0) });
  });
});

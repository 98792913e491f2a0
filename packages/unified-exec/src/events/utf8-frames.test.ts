import { describe, expect, it } from 'vitest';
import { Utf8Frames } from './utf8-frames.js';

describe('frames', () => {
  const frames = (max: number, ...chunks: (string | number[])[]): string[] => {
    const cutter = new Utf8Frames(max);
    const all = chunks.flatMap((chunk) =>
      cutter.push(typeof chunk === 'string' ? Buffer.from(chunk) : Uint8Array.from(chunk)),
    );
    return [...all, ...cutter.flush()].map((frame) => Buffer.from(frame).toString('latin1'));
  };
  const utf8 = (text: string): string => Buffer.from(text).toString('latin1');

  it('end at whole characters and stay within their size', () => {
    expect(frames(5, 'aaaé€')).toEqual(['aaaé', '€'].map(utf8));
    expect(frames(4, '😀😀')).toEqual(['😀', '😀'].map(utf8));
    expect(frames(100, [0xe2], [0x82], [0xac, 0x61])).toEqual([utf8('€a')]);
  });

  it('pass bytes that are no text as they are', () => {
    expect(frames(4, [0x80, 0x80, 0x80, 0x80, 0x80, 0x80]).join('')).toBe('\x80'.repeat(6));
    expect(frames(100, [0x61, 0xf0, 0x9f])).toEqual(['a', '\xf0\x9f']);
  });
});

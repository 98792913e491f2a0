import { describe, expect, it } from 'vitest';
import { freshMask, maskInPlace } from './frame-mask.js';

describe('frame mask', () => {
  it('equals the byte-wise definition at every alignment and length', () => {
    const mask = Buffer.from([0x12, 0x34, 0x56, 0x78]);
    for (let start = 0; start < 9; start++) {
      for (let length = 0; length < 40; length++) {
        const target = Buffer.alloc(start + length, 0xa5);
        maskInPlace(target, start, mask);
        const expected = Buffer.alloc(start + length, 0xa5);
        for (let index = 0; index < length; index++) expected[start + index] = 0xa5 ^ (mask[index % 4] ?? 0);
        expect(target.equals(expected)).toBe(true);
      }
    }
  });

  it('is fresh for every frame', () => {
    const seen = new Set(Array.from({ length: 5000 }, () => freshMask().toString('hex')));
    expect(seen.size).toBeGreaterThan(4990);
  });
});

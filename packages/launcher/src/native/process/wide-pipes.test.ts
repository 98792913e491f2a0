import { describe, expect, it } from 'vitest';
import { WidePipes } from './wide-pipes.js';

describe('WidePipes', () => {
  it('gives them to few commands at a time, and again when one has ended', () => {
    const pipes = new WidePipes();
    const granted = Array.from({ length: 100 }, () => pipes.take());
    const held = granted.filter((grant) => grant !== undefined);
    expect(held).toHaveLength(32);
    held[0]?.release();
    held[0]?.release();
    expect([pipes.take() !== undefined, pipes.take()]).toEqual([true, undefined]);
  });
});

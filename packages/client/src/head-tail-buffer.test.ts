import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HeadTailBuffer } from './head-tail-buffer.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (buffer: HeadTailBuffer): [string, string, number] => {
  const { head, tail } = buffer.parts();
  return [new TextDecoder().decode(head), new TextDecoder().decode(tail), buffer.omittedBytes];
};

describe('HeadTailBuffer', () => {
  it('fills the head first, then the tail, then drops the oldest of the tail', () => {
    const buffer = new HeadTailBuffer(10);
    buffer.push(bytes('0123456789'));
    expect(text(buffer)).toEqual(['01234', '56789', 0]);
    buffer.push(bytes('ab'));
    expect(text(buffer)).toEqual(['01234', '789ab', 2]);
    expect(buffer.totalBytes).toBe(12);
    expect(buffer.retainedBytes).toBe(10);
  });

  it('gives the odd byte to the tail and skips what is larger than it', () => {
    const buffer = new HeadTailBuffer(5);
    buffer.push(bytes('abcdefghij'));
    expect(text(buffer)).toEqual(['ab', 'hij', 5]);
  });

  it('holds nothing and counts everything with no budget', () => {
    const buffer = new HeadTailBuffer(0);
    buffer.push(bytes('abc'));
    expect(text(buffer)).toEqual(['', '', 3]);
    expect(buffer.bytes()).toHaveLength(0);
  });

  it('counts bytes it never saw, between what came before and after', () => {
    const buffer = new HeadTailBuffer(10);
    buffer.push(bytes('abc'));
    buffer.omit(7);
    buffer.push(bytes('xyz'));
    expect(text(buffer)).toEqual(['abc', 'xyz', 7]);
  });

  it('is empty after take, and a clone does not change with it', () => {
    const buffer = new HeadTailBuffer(4);
    buffer.push(bytes('abcdef'));
    const clone = buffer.clone();
    const taken = buffer.take();
    buffer.push(bytes('Z'));
    expect(text(taken)).toEqual(['ab', 'ef', 2]);
    expect(text(clone)).toEqual(['ab', 'ef', 2]);
    expect(text(buffer)).toEqual(['Z', '', 0]);
  });

  it('equals a plain reference for every way of cutting the input, merged or not', () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 40 }), { maxLength: 20 });
    fc.assert(
      fc.property(
        chunks,
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 0, max: 20 }),
        (parts, max, cut) => {
          const all = Buffer.concat(parts);
          const head = Math.floor(max / 2);
          const tail = max - head;
          const whole = new HeadTailBuffer(max);
          const merged = new HeadTailBuffer(max);
          const later = new HeadTailBuffer(max);
          parts.forEach((part, index) => {
            whole.push(part);
            (index < cut ? merged : later).push(part);
          });
          merged.pushBuffer(later);
          const kept =
            all.length <= max ? all : Buffer.concat([all.subarray(0, head), all.subarray(all.length - tail)]);
          for (const buffer of [whole, merged]) {
            expect(Buffer.from(buffer.bytes()).equals(kept)).toBe(true);
            expect(buffer.totalBytes).toBe(all.length);
            expect(buffer.omittedBytes).toBe(all.length - kept.length);
          }
        },
      ),
      { seed: 7 },
    );
  });
});

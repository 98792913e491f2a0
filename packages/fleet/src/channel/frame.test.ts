import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeFrame, FrameKind, HEADER_BYTES, nextSeq, RESET } from './frame.js';

describe('a frame', () => {
  it('is read as it was written', () => {
    const header = { kind: FrameKind.data, seq: 2 ** 32 - 1, read: 2 ** 53 - 1, granted: 7 };
    expect(decodeFrame(encodeFrame(header, Buffer.from('abc')))).toEqual({
      ...header,
      payload: Buffer.from('abc'),
    });
    expect(decodeFrame(RESET)?.kind).toBe(FrameKind.reset);
  });

  it.each<[string, (frame: Buffer) => Buffer]>([
    ['short', (frame) => frame.subarray(0, HEADER_BYTES - 1)],
    ['of another version', (frame) => Buffer.from([2, ...frame.subarray(1)])],
    ['of an unknown kind', (frame) => Buffer.from([1, 99, ...frame.subarray(2)])],
    [
      'with a count that is none',
      (frame) => Buffer.concat([frame.subarray(0, 8), Buffer.alloc(8, 0xff), frame.subarray(16)]),
    ],
    ['text', () => Buffer.from('{"full":true,"more":"than a header long"}')],
  ])('is none when it is %s', (_, change) => {
    const frame = encodeFrame({ kind: FrameKind.ping, seq: 0, read: 0, granted: 0 });
    expect(decodeFrame(change(frame))).toBeUndefined();
  });

  it('has a number that begins anew after the largest', () => {
    expect(nextSeq(2 ** 32 - 1)).toBe(0);
  });
});

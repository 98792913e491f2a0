import { describe, expect, it } from 'vitest';
import { BornDecoder, encodeAsk } from './nursery-codec.js';

function record(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(numbers.length * 4);
  numbers.forEach((value, index) => void bytes.writeUInt32LE(value, index * 4));
  return bytes;
}

const MAGIC = 0x324e5843;

describe('the talk with the nursery', () => {
  it('asks with a number and a mark', () => {
    expect(encodeAsk(3, Buffer.from('abcdefgh'))).toEqual(
      Buffer.concat([record(MAGIC, 3), Buffer.from('abcdefgh')]),
    );
  });

  it('hears of each one, in whatever pieces it comes', () => {
    const born = (pid: number) => record(MAGIC, pid, 5, 6, 8, 10);
    const bytes = Buffer.concat([born(77), record(MAGIC, 0, 11, 0, 0, 0), born(78)]);
    const fds = { ordersFd: 5, statusesFd: 6, outputFds: [8, 10] };
    const expected = [{ pid: 77, ...fds }, undefined, { pid: 78, ...fds }];
    for (let size = 1; size <= bytes.length; size += 1) {
      const decoder = new BornDecoder();
      const found = [];
      for (let at = 0; at < bytes.length; at += size)
        found.push(...(decoder.push(bytes.subarray(at, at + size)) ?? ['no nursery']));
      expect(found).toEqual(expected);
    }
  });

  it('knows a program that is no nursery', () => {
    expect(new BornDecoder().push(record(2, 1, 71, 0, 0, 0))).toBe(null);
  });
});

import { describe, expect, it } from 'vitest';
import { type Status, StatusDecoder } from './status-codec.js';

function record(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(20);
  for (const [index, number] of numbers.entries()) bytes.writeInt32LE(number, index * 4);
  return bytes;
}

const records = Buffer.concat([
  record(7, 4711, 5, 1),
  record(1, 77, -1, 6, 8),
  record(2, 6, 2),
  record(3, 5, 0),
  record(3, 0, 9, 1),
  record(6),
  record(99),
  record(5, 4),
  Buffer.from('said'),
  record(5, 0),
  record(8, 4),
  Buffer.from('/a/b'),
  record(4),
]);
const expected: Status[] = [
  { type: 'supervisor', pid: 4711, startTime: String(2 ** 32 + 5) },
  { type: 'started', pid: 77, stdinFd: -1, stdoutFd: 6, stderrFd: 8 },
  { type: 'failed', stage: 'cwd', errno: 2 },
  { type: 'exited', code: 5, signal: 0, restFollows: false },
  { type: 'exited', code: 0, signal: 9, restFollows: true },
  { type: 'relayed' },
  { type: 'report', bytes: Buffer.from('said') },
  { type: 'report', bytes: Buffer.alloc(0) },
  { type: 'mountLost', path: '/a/b' },
  { type: 'treeGone' },
];

describe('StatusDecoder', () => {
  it('decodes records, and skips a type it does not know', () => {
    expect(new StatusDecoder().push(records)).toEqual(expected);
  });

  it('puts records together however they are cut', () => {
    for (const size of [1, 3, 19, 20, 21, 50]) {
      const decoder = new StatusDecoder();
      const found: Status[] = [];
      for (let at = 0; at < records.length; at += size)
        found.push(...(decoder.push(records.subarray(at, at + size)) ?? []));
      expect(found).toEqual(expected);
    }
  });

  it('takes a report as long as they get, and nobody for a supervisor who announces a longer one', () => {
    const longest = Buffer.concat([record(5, 4096), Buffer.alloc(4096, 'x')]);
    expect(new StatusDecoder().push(longest)).toEqual([{ type: 'report', bytes: Buffer.alloc(4096, 'x') }]);
    for (const length of [4097, -1]) {
      expect(new StatusDecoder().push(record(5, length))).toBeNull();
      const decoder = new StatusDecoder();
      expect(decoder.push(record(5, length).subarray(0, 19))).toEqual([]);
      expect(decoder.push(record(5, length).subarray(19))).toBeNull();
    }
  });

  it('takes an unknown stage for the supervisor itself', () => {
    expect(new StatusDecoder().push(record(2, 50, 1))).toEqual([
      { type: 'failed', stage: 'supervisor', errno: 1 },
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import { FlowNap } from './flow-nap.js';

const KIB = 1024;

/** Time passes by what is read: so long for each read. */
function setUp({ readMs = 0.02 } = {}) {
  const turn: (() => void)[] = [];
  const naps: number[] = [];
  let now = 0;
  const flow = new FlowNap({
    now: () => now,
    afterThisTurn: (nap) => turn.push(nap),
    sleep: (ms) => {
      now += ms;
      naps.push(ms);
    },
  });
  /** Reads, and lets the turn end; how many naps that was. */
  const read = (reader: object, bytes: number): number => {
    const before = naps.length;
    now += readMs;
    flow.read(reader, bytes);
    for (const nap of turn.splice(0)) nap();
    return naps.length - before;
  };
  const reads = (count: number, reader: object, bytes: number): number =>
    Array.from({ length: count }, () => read(reader, bytes)).filter((napped) => napped > 0).length;
  return { flow, read, reads, naps, turn };
}

describe('a nap in a flow of short reads', () => {
  const [one, other] = [{}, {}];

  it('comes with the eighth, and then with each that follows a full pipe', () => {
    const { reads } = setUp();
    expect(reads(7, one, 4 * KIB)).toBe(0);
    expect(reads(1, one, 4 * KIB)).toBe(1);
    for (let again = 0; again < 3; again++) {
      expect(reads(1, one, 256 * KIB)).toBe(0);
      expect(reads(1, one, 4 * KIB)).toBe(1);
    }
  });

  it('lasts a tenth of a millisecond, behind what the turn has still to do', () => {
    const { flow, reads, naps, turn } = setUp();
    reads(7, one, 4 * KIB);
    flow.read(one, 4 * KIB);
    flow.read(one, 4 * KIB);
    expect([naps.length, turn.length]).toEqual([0, 1]);
    turn[0]?.();
    expect(naps).toEqual([0.1]);
  });

  it('is far away after one that brought little', () => {
    const { reads } = setUp();
    expect(reads(8, one, 100)).toBe(1);
    expect(reads(1023, one, 100)).toBe(0);
    expect(reads(1, one, 100)).toBe(1);
  });

  it('does not come where something else is read in between', () => {
    const { reads, flow, naps, turn } = setUp();
    for (let count = 0; count < 100; count++) expect(reads(1, one, 100) + reads(7, other, 100)).toBe(0);
    reads(7, one, 100);
    flow.read(one, 100);
    flow.read(other, 100);
    for (const nap of turn.splice(0)) nap();
    expect(naps).toEqual([]);
  });

  it('does not come for reads that are long, or a while apart: keystrokes, lines, what is printed now and then', () => {
    expect(setUp().reads(100, one, 16 * KIB)).toBe(0);
    expect(setUp({ readMs: 0.11 }).reads(100, one, 100)).toBe(0);
  });

  it('is judged by the command that it was made for', () => {
    const { reads } = setUp();
    reads(8, one, 100);
    expect(reads(7, other, 100)).toBe(0);
    expect(reads(1, other, 100)).toBe(1);
  });
});

it('sleeps in this process, about as long as it says', async () => {
  const flow = new FlowNap();
  const reader = {};
  let slept = 0;
  for (let count = 0; count < 8; count++) flow.read(reader, 100);
  const begin = performance.now();
  await new Promise((resolve) => setImmediate(resolve));
  slept = performance.now() - begin;
  expect(slept).toBeGreaterThan(0.09);
});

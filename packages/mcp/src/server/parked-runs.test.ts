import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callDigest, ParkedRuns } from './parked-runs.js';
import { ToolRun } from './tool-run.js';

describe('ParkedRuns', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('keeps a run for ten minutes, then aborts it', () => {
    const parked = new ParkedRuns();
    const [kept, late] = [new ToolRun(), new ToolRun()];
    const state = parked.park(kept, 'a');
    const lateState = parked.park(late, 'b');
    vi.advanceTimersByTime(10 * 60_000 - 1);
    expect(parked.take(state, 'a')).toBe(kept);
    vi.advanceTimersByTime(1);
    expect(kept.signal.aborted).toBe(false);
    expect(late.signal.aborted).toBe(true);
    expect(parked.take(lateState, 'b')).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('gives a run once, and only to its own call', () => {
    const parked = new ParkedRuns();
    const run = new ToolRun();
    const state = parked.park(run, 'a');
    expect(parked.take(state, 'b')).toBeUndefined();
    expect(parked.take('', 'a')).toBeUndefined();
    expect(parked.take(state, 'a')).toBe(run);
    expect(parked.take(state, 'a')).toBeUndefined();
  });

  it('aborts the oldest when a client leaves too many', () => {
    const parked = new ParkedRuns();
    const runs = Array.from({ length: 129 }, () => new ToolRun());
    for (const run of runs) parked.park(run, 'a');
    expect(runs.map(({ signal }) => signal.aborted).indexOf(false)).toBe(1);
  });
});

describe('callDigest', () => {
  it('is the same for equal calls only', () => {
    const digest = callDigest('t', { a: 1, b: { c: [1, null], d: 'x' } });
    expect(callDigest('t', { b: { d: 'x', c: [1, null] }, a: 1 })).toBe(digest);
    for (const other of [
      {},
      { a: 1, b: { c: [null, 1], d: 'x' } },
      { a: '1', b: { c: [1, null], d: 'x' } },
    ]) {
      expect(callDigest('t', other)).not.toBe(digest);
    }
    expect(callDigest('u', { a: 1, b: { c: [1, null], d: 'x' } })).not.toBe(digest);
  });
});

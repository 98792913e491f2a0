import { Buffer } from 'node:buffer';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SyncBudget } from './sync-budget.js';

const budgetOn = (isLocal: boolean) => new SyncBudget({ isLocal: () => isLocal, refresh: () => undefined });

/** A call that takes so many milliseconds of the faked clock. */
const taking = (milliseconds: number) => () => {
  vi.advanceTimersByTime(milliseconds);
  return 'done';
};

describe('the budget of synchronous calls', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setImmediate', 'setTimeout', 'Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('is open on local file systems only, and not for places of the system', () => {
    expect(budgetOn(true).run('/data/file', taking(0))).toBe('done');
    expect(budgetOn(false).run('/data/file', taking(0))).toBeUndefined();
    expect(budgetOn(true).run('/proc/self/status', taking(0))).toBeUndefined();
    expect(budgetOn(true).run(Buffer.from([0x2f, 0xff]), taking(0))).toBeUndefined();
  });

  it('leaves failures to the long way', () => {
    const fail = (): string => {
      throw new RangeError('no');
    };
    expect(budgetOn(true).run('/data/file', fail)).toBeUndefined();
  });

  it('closes for the rest of a turn once its share is used up', () => {
    const budget = budgetOn(true);
    let calls = 0;
    const count = () => {
      calls += 1;
      const started = performance.now();
      // The clock moves, timers do not: the turn of the event loop goes on.
      vi.setSystemTime(Date.now());
      vi.spyOn(performance, 'now').mockReturnValue(started + 3);
      return 'done';
    };
    while (budget.run('/data/file', count) !== undefined);
    expect(calls).toBe(3);
    vi.restoreAllMocks();
    vi.runAllTicks();
    vi.advanceTimersToNextTimer();
    expect(budget.run('/data/file', taking(0))).toBe('done');
  });

  it('closes for a while after a slow call', () => {
    const budget = budgetOn(true);
    expect(budget.run('/data/file', taking(11))).toBe('done');
    vi.advanceTimersByTime(50);
    expect(budget.run('/data/file', taking(0))).toBeUndefined();
    vi.advanceTimersByTime(60);
    expect(budget.run('/data/file', taking(0))).toBe('done');
  });
});

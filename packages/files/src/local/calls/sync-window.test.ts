import { Buffer } from 'node:buffer';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SyncWindow } from './sync-window.js';

const windowOn = (isLocal: boolean) => new SyncWindow({ isLocal: () => isLocal, refresh: () => undefined });

/** A call that takes so many milliseconds of the faked clock. */
const taking = (milliseconds: number) => () => {
  vi.advanceTimersByTime(milliseconds);
  return 'done';
};

describe('the sync window', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setImmediate', 'setTimeout', 'Date'] }));
  afterEach(() => void vi.useRealTimers());

  it('is open on local file systems only, and not for places of the system', () => {
    expect(windowOn(true).run('/data/file', taking(0))).toBe('done');
    expect(windowOn(false).run('/data/file', taking(0))).toBeUndefined();
    expect(windowOn(true).run('/proc/self/status', taking(0))).toBeUndefined();
    expect(windowOn(true).run(Buffer.from([0x2f, 0xff]), taking(0))).toBeUndefined();
  });

  it('leaves failures to the long way', () => {
    const fail = (): string => {
      throw new RangeError('no');
    };
    expect(windowOn(true).run('/data/file', fail)).toBeUndefined();
  });

  it('closes for the rest of a turn once its share is used up', () => {
    const window = windowOn(true);
    let calls = 0;
    const count = () => {
      calls += 1;
      const started = performance.now();
      // The clock moves, timers do not: the turn of the event loop goes on.
      vi.setSystemTime(Date.now());
      vi.spyOn(performance, 'now').mockReturnValue(started + 3);
      return 'done';
    };
    while (window.run('/data/file', count) !== undefined);
    expect(calls).toBe(3);
    vi.restoreAllMocks();
    vi.runAllTicks();
    vi.advanceTimersToNextTimer();
    expect(window.run('/data/file', taking(0))).toBe('done');
  });

  it('closes for a while after a slow call', () => {
    const window = windowOn(true);
    expect(window.run('/data/file', taking(11))).toBe('done');
    vi.advanceTimersByTime(50);
    expect(window.run('/data/file', taking(0))).toBeUndefined();
    vi.advanceTimersByTime(60);
    expect(window.run('/data/file', taking(0))).toBe('done');
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { QuickDisk, TurnShare } from './quick-disk.js';

/** A call that takes so many milliseconds of the faked clock. */
const taking = (milliseconds: number) => () => {
  vi.spyOn(performance, 'now').mockReturnValue(performance.now() + milliseconds);
  return 'done';
};

describe('calls to the disk on the event loop', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance', 'setImmediate', 'setTimeout'] }));
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
  });

  it('wait for the next turn once the share of this one is used up', async () => {
    const share = new TurnShare();
    for (let call = 0; call < 15; call += 1) expect(await share.run(taking(0.2))).toBe('done');
    let hasRun = false;
    const waiting = share.run(() => {
      hasRun = true;
    });
    for (let tick = 0; tick < 10; tick += 1) await Promise.resolve();
    expect(hasRun).toBe(false);
    vi.advanceTimersToNextTimer();
    await waiting;
    expect(hasRun).toBe(true);
  });

  it.each([
    ['one that was slow', [11]],
    ['many that were not quick', Array.from({ length: 30 }, () => 0.5)],
  ])('are left to the thread pool for a while after %s', async (_what, durations) => {
    const share = new TurnShare();
    for (const duration of durations) {
      void share.run(taking(duration));
      vi.advanceTimersToNextTimer();
    }
    expect(await share.run(taking(0))).toBeUndefined();
    taking(100)();
    expect(await share.run(taking(0))).toBe('done');
  });

  it('go on after a few that waited for a processor', async () => {
    const share = new TurnShare();
    for (let call = 0; call < 3; call += 1) {
      expect(await share.run(taking(9))).toBe('done');
      vi.advanceTimersToNextTimer();
    }
    expect(await share.run(taking(0))).toBe('done');
  });

  it('leave failures to the long way', async () => {
    const fail = (): string => {
      throw new RangeError('no');
    };
    expect(await new TurnShare().run(fail)).toBeUndefined();
  });
});

describe('a quick disk', () => {
  it('is none where the kernel makes the files up', async () => {
    expect((await QuickDisk.of('/proc')).isLocal).toBe(false);
    expect((await QuickDisk.of('/nowhere/at/all')).isLocal).toBe(false);
  });
});

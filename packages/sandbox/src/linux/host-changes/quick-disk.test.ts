import { describe, expect, it } from 'vitest';
import { QuickDisk } from './quick-disk.js';

function setUp() {
  let now = 0;
  let delayMs = 0;
  const disk = new QuickDisk(
    () => now,
    () => delayMs,
  );
  const delayed = (takes: number, ofThisWithoutProcessor: number): boolean =>
    disk.change(() => {
      now += takes;
      delayMs += ofThisWithoutProcessor;
    });
  const change = (takes: number): boolean =>
    disk.change(() => {
      now += takes;
    });
  const take = (ms: number): void => {
    now += ms;
  };
  const wait = (ms: number): void => {
    now += ms;
    delayMs += ms;
  };
  return { disk, change, delayed, take, wait };
}

describe('changes on the event loop', () => {
  it('are made while the disk is quick', () => {
    const { change } = setUp();
    expect([change(0.1), change(2.9), change(0.1)]).toEqual([true, true, true]);
  });

  it('pause after a slow one, which was made', () => {
    const { change, wait } = setUp();
    expect([change(50), change(0.1)]).toEqual([true, false]);
    wait(999);
    expect(change(0.1)).toBe(false);
    wait(2);
    expect(change(0.1)).toBe(true);
  });

  it('go on after one that waited for a processor, and not for the disk', () => {
    const { change, delayed } = setUp();
    expect([delayed(50, 48), delayed(50, 50), change(0.1)]).toEqual([true, true, true]);
    expect([delayed(50, 40), change(0.1)]).toEqual([true, false]);
  });

  it('pause longer each time in a row, a minute at most', () => {
    const { change, wait } = setUp();
    const pauses = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000];
    for (const pause of pauses) {
      expect(change(5)).toBe(true);
      wait(pause - 1);
      expect(change(0)).toBe(false);
      wait(1);
    }
    expect(change(0.1)).toBe(true);
    expect(change(5)).toBe(true);
    wait(1_000);
    expect(change(0.1)).toBe(true);
  });

  it('are left to the long way when they fail, however long that took', () => {
    const { disk, change, take } = setUp();
    const failing = (takes: number) => () => {
      take(takes);
      throw new RangeError('no');
    };
    expect(disk.change(failing(0))).toBe(false);
    expect(change(0)).toBe(true);
    expect(disk.change(failing(10))).toBe(false);
    expect(change(0)).toBe(false);
  });
});

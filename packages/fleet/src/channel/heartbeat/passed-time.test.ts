import { describe, expect, it } from 'vitest';
import { PassedTime } from './passed-time.js';

function setUp() {
  const clocks = { monotonic: 100, uptime: 5000, wall: 1_800_000_000_000 };
  const time = new PassedTime({
    monotonic: () => clocks.monotonic,
    uptime: () => clocks.uptime,
    wall: () => clocks.wall,
  });
  const pass = (change: Partial<typeof clocks>): void => {
    for (const name of ['monotonic', 'uptime', 'wall'] as const) clocks[name] += change[name] ?? 0;
  };
  return { time, pass, began: time.now() };
}

const together = (ms: number) => ({ monotonic: ms, uptime: ms, wall: ms });

describe('the time that has passed', () => {
  it('is that of all clocks while nothing happens', () => {
    const { time, pass, began } = setUp();
    pass(together(500));
    expect([time.unlookedMs, time.look(), time.now() - began]).toEqual([500, 0, 500]);
  });

  it('counts a suspend, which the monotonic clock does not', () => {
    const { time, pass, began } = setUp();
    pass({ monotonic: 10, uptime: 60_010, wall: 60_010 });
    expect([time.unlookedMs, time.look(), time.now() - began]).toEqual([60_010, 0, 60_010]);
    pass(together(5));
    expect([time.look(), time.now() - began]).toEqual([0, 60_015]);
  });

  it.each([60_000, -60_000])('does not count a wall clock that was set by %i ms, and tells of it', (step) => {
    const { time, pass, began } = setUp();
    pass({ monotonic: 10, uptime: 10, wall: 10 + step });
    expect([time.look(), time.now() - began]).toEqual([step, 10]);
    expect(time.look()).toBe(0);
  });
});

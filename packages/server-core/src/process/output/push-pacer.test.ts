import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test-support/manual-clock.js';
import { PushPacer } from './push-pacer.js';

const WHOLE = 64 * 1024;

function setUp() {
  const clock = new ManualClock();
  let wakes = 0;
  const pacer = new PushPacer(clock, () => void wakes++);
  return { clock, pacer, wakes: () => wakes };
}

describe('PushPacer', () => {
  it('lets the first output, and small output, go at once', () => {
    const { clock, pacer } = setUp();
    expect(pacer.mayGo(10, WHOLE)).toBe(true);
    pacer.sent(10);
    expect(pacer.mayGo(10, WHOLE)).toBe(true);
    pacer.sent(4095);
    expect(pacer.mayGo(100, WHOLE)).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('lets what follows a larger message wait, a millisecond at most', async () => {
    const { clock, pacer, wakes } = setUp();
    pacer.sent(8192);
    expect([pacer.mayGo(4096, WHOLE), pacer.mayGo(8192, WHOLE)]).toEqual([false, false]);
    expect([wakes(), clock.pending]).toEqual([0, 1]);
    await clock.advance(1);
    expect([wakes(), clock.pending]).toEqual([1, 0]);
    expect(pacer.mayGo(8192, WHOLE)).toBe(true);
  });

  it('does not wait when there is enough for a message', () => {
    const { clock, pacer } = setUp();
    pacer.sent(65_536);
    expect(pacer.mayGo(65_536, WHOLE)).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it('forgets a flow that has paused', async () => {
    const { clock, pacer } = setUp();
    pacer.sent(65_536);
    await clock.advance(1);
    expect(pacer.mayGo(1, WHOLE)).toBe(true);
  });
});

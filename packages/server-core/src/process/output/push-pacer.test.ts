import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test-support/manual-clock.js';
import { PushPacer } from './push-pacer.js';

function setUp() {
  const clock = new ManualClock();
  let wakes = 0;
  const pacer = new PushPacer(clock, () => void wakes++);
  return { clock, pacer, wakes: () => wakes };
}

describe('PushPacer', () => {
  it('tells of the first output, and of small output, at once', () => {
    const { pacer, wakes } = setUp();
    pacer.came(10, 64 * 1024);
    pacer.sent(10);
    pacer.came(10, 64 * 1024);
    pacer.sent(4095);
    pacer.came(100, 64 * 1024);
    expect(wakes()).toBe(3);
  });

  it('lets what follows a larger message wait, a millisecond at most', async () => {
    const { clock, pacer, wakes } = setUp();
    pacer.sent(8192);
    pacer.came(4096, 64 * 1024);
    pacer.came(8192, 64 * 1024);
    expect([wakes(), clock.pending]).toEqual([0, 1]);
    await clock.advance(1);
    expect([wakes(), clock.pending]).toEqual([1, 0]);
  });

  it('does not wait when there is enough for a message', () => {
    const { pacer, wakes } = setUp();
    pacer.sent(65_536);
    pacer.came(65_536, 64 * 1024);
    expect(wakes()).toBe(1);
  });

  it('forgets a flow that has paused', async () => {
    const { clock, pacer, wakes } = setUp();
    pacer.sent(65_536);
    await clock.advance(1);
    pacer.came(1, 64 * 1024);
    expect(wakes()).toBe(1);
  });
});

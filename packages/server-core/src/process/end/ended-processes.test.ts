import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test-support/manual-clock.js';
import { EndedProcesses } from './ended-processes.js';

function setUp(keepAtMost = 100, read: readonly string[] = []) {
  const clock = new ManualClock();
  const expired: string[] = [];
  const retention = new EndedProcesses<string>({
    clock,
    keepMs: 30,
    keepAtMost,
    isRead: (item) => read.includes(item),
    onExpired: (item) => void expired.push(item),
  });
  return { clock, expired, retention };
}

describe('EndedProcesses', () => {
  it('keeps each item for its time, with one timer for all', async () => {
    const { clock, expired, retention } = setUp();
    retention.add('a');
    await clock.advance(10);
    retention.add('b');
    expect(clock.pending).toBe(1);
    await clock.advance(20);
    expect(expired).toEqual(['a']);
    await clock.advance(10);
    expect(expired).toEqual(['a', 'b']);
    expect(clock.pending).toBe(0);
  });

  it('lets the oldest go when there are too many', () => {
    const { expired, retention } = setUp(2);
    for (const item of ['a', 'b', 'c']) retention.add(item);
    expect(expired).toEqual(['a']);
    expect(retention.size).toBe(2);
  });

  it('stands still while nobody can read, and then gives the whole time again', async () => {
    const { clock, expired, retention } = setUp();
    retention.add('a');
    await clock.advance(20);
    retention.pause();
    await clock.advance(1000);
    expect(expired).toEqual([]);
    retention.resume();
    await clock.advance(29);
    expect(expired).toEqual([]);
    await clock.advance(1);
    expect(expired).toEqual(['a']);
  });

  it('does not begin anew for what was read, however often somebody comes back', async () => {
    const { clock, expired, retention } = setUp(100, ['read']);
    retention.add('missed');
    retention.add('read');
    for (let cut = 0; cut < 3; cut++) {
      await clock.advance(9);
      retention.pause();
      await clock.advance(1000);
      retention.resume();
      // It is told again that the client has everything.
      retention.add('read');
    }
    expect(expired).toEqual([]);
    await clock.advance(3);
    expect(expired).toEqual(['read']);
    await clock.advance(26);
    expect(expired).toEqual(['read']);
    await clock.advance(1);
    expect(expired).toEqual(['read', 'missed']);
  });
});

import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test-support/manual-clock.js';
import { Retention } from './retention.js';

function setUp(keepAtMost = 100) {
  const clock = new ManualClock();
  const expired: string[] = [];
  const retention = new Retention<string>({
    clock,
    keepMs: 30,
    keepAtMost,
    onExpired: (item) => void expired.push(item),
  });
  return { clock, expired, retention };
}

describe('Retention', () => {
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
});

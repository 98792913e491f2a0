import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../../../test-support/manual-clock.js';
import { ChangeSignal } from './change-signal.js';

function setUp() {
  const clock = new ManualClock();
  const signal = new ChangeSignal(clock);
  const abort = new AbortController();
  let value: string | undefined;
  const wait = (timeoutMs?: number) =>
    signal.wait({ poll: () => value, onTimeout: () => 'late', timeoutMs, signal: abort.signal });
  const set = (next: string) => {
    value = next;
    signal.notify();
  };
  return { clock, signal, abort, wait, set };
}

describe('ChangeSignal', () => {
  it('answers in the same turn when there is something', () => {
    const { wait, set } = setUp();
    set('x');
    expect(wait(1000)).toBe('x');
    expect(setUp().wait(0)).toBe('late');
  });

  it('wakes every waiter on a change, and keeps no timer or listener of theirs', async () => {
    const { clock, signal, wait, set } = setUp();
    const waits = [wait(1000), wait(), wait(2000)].map(async (outcome) => outcome);
    expect([signal.waiting, clock.pending]).toEqual([3, 2]);
    signal.notify();
    expect(signal.waiting).toBe(3);
    set('x');
    expect(await Promise.all(waits)).toEqual(['x', 'x', 'x']);
    expect([signal.waiting, clock.pending]).toEqual([0, 0]);
  });

  it('ends when the time is up', async () => {
    const { clock, signal, wait } = setUp();
    const waiting = wait(100);
    await clock.advance(99);
    expect(signal.waiting).toBe(1);
    await clock.advance(1);
    expect(await waiting).toBe('late');
    expect(signal.waiting).toBe(0);
  });

  it('ends when the one who waits is gone', async () => {
    const { clock, signal, abort, wait } = setUp();
    const waiting = wait(100);
    abort.abort();
    await settle();
    expect(await waiting).toBe('late');
    expect([signal.waiting, clock.pending]).toEqual([0, 0]);
  });
});

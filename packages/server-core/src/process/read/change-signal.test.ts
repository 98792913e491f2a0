import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../../../test-support/manual-clock.js';
import { ChangeSignal, WAKES_PER_TURN } from './change-signal.js';

function setUp(options?: ConstructorParameters<typeof ChangeSignal>[1]) {
  const clock = new ManualClock();
  const signal = new ChangeSignal(clock, options);
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

  it('wakes a few in one turn, and everybody in the end', async () => {
    const { signal, wait, set } = setUp();
    const waits = Array.from({ length: 5 * WAKES_PER_TURN }, async () => wait());
    set('x');
    expect(signal.waiting).toBe(4 * WAKES_PER_TURN);
    await new Promise((resolve) => setImmediate(resolve));
    expect(signal.waiting).toBe(3 * WAKES_PER_TURN);
    expect(new Set(await Promise.all(waits))).toEqual(new Set(['x']));
  });

  it('looks once more, not once per change, when changes come faster than looks', async () => {
    const { clock } = setUp();
    const signal = new ChangeSignal(clock);
    let looks = 0;
    let isThere = false;
    const look = () => {
      looks += 1;
      return isThere ? 'x' : undefined;
    };
    const { signal: never } = new AbortController();
    const count = 3 * WAKES_PER_TURN;
    const waits = Array.from({ length: count }, async () =>
      signal.wait({ poll: look, onTimeout: () => 'late', timeoutMs: undefined, signal: never }),
    );
    looks = 0;
    for (let change = 0; change < 1000; change += 1) signal.notify();
    expect(looks).toBe(WAKES_PER_TURN);
    while (looks < 2 * count) await new Promise((resolve) => setImmediate(resolve));
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(looks).toBe(2 * count);
    isThere = true;
    signal.notify();
    expect(new Set(await Promise.all(waits))).toEqual(new Set(['x']));
  });

  it('ends the oldest wait when too many wait', async () => {
    const { clock, signal, wait, set } = setUp({ maxWaiting: 2 });
    const waits = [wait(1000), wait(1000), wait(1000)].map(async (outcome) => outcome);
    expect([signal.waiting, clock.pending]).toEqual([2, 2]);
    expect(await waits[0]).toBe('late');
    set('x');
    expect(await Promise.all(waits)).toEqual(['late', 'x', 'x']);
  });
});

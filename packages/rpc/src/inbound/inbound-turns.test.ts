import { describe, expect, it } from 'vitest';
import { InboundTurns } from './inbound-turns.js';

/** Each message takes a millisecond; the next turn comes when the test says so. */
function setUp(maxTurnMs: number) {
  let time = 0;
  let mustWait = false;
  let deferred: (() => void)[] = [];
  const calls: string[] = [];
  const handled: number[] = [];
  const turns = new InboundTurns({
    channel: { pause: () => calls.push('pause'), resume: () => calls.push('resume') },
    maxTurnMs,
    mustWait: () => mustWait,
    now: () => time,
    defer: (callback) => deferred.push(callback),
  });
  const receive = (count: number, from = 0) => {
    for (let number = from; number < from + count; number += 1) {
      const handle = () => {
        time += 1;
        handled.push(number);
      };
      if (turns.canHandle()) handle();
      else turns.queue(handle);
    }
  };
  const nextTurn = () => {
    const due = deferred;
    deferred = [];
    for (const callback of due) callback();
  };
  const wait = (value: boolean) => {
    mustWait = value;
  };
  return { turns, calls, handled, receive, nextTurn, wait };
}

const upTo = (count: number) => Array.from({ length: count }, (_, index) => index);

describe('InboundTurns', () => {
  it('handles so much per turn, in order, and reads on when nothing waits', () => {
    const { turns, calls, handled, receive, nextTurn } = setUp(5);
    receive(12);
    expect([handled.length, turns.waiting, calls.at(-1)]).toEqual([5, 7, 'pause']);
    nextTurn();
    expect(handled.length).toBe(10);
    receive(1, 12);
    expect([handled.length, turns.waiting, calls.includes('resume')]).toEqual([10, 3, false]);
    nextTurn();
    expect([handled, calls.at(-1)]).toEqual([upTo(13), 'resume']);
  });

  it('handles everything at once where time has no bound', () => {
    const { calls, handled, receive } = setUp(Number.POSITIVE_INFINITY);
    receive(1000);
    expect([handled.length, calls]).toEqual([1000, []]);
  });

  it('handles nothing while replies are not read, and stays paused until the rest is handled', () => {
    const { turns, calls, handled, receive, nextTurn, wait } = setUp(5);
    receive(1);
    wait(true);
    receive(8, 1);
    nextTurn();
    nextTurn();
    expect(handled).toEqual([0]);
    wait(false);
    turns.drained();
    expect(calls.at(-1)).toBe('pause');
    nextTurn();
    expect(handled.length).toBe(6);
    nextTurn();
    expect([handled, calls.at(-1)]).toEqual([upTo(9), 'resume']);
  });

  it('handles what came before the end, in turns, and tells the end once', () => {
    const { turns, handled, receive, nextTurn, wait } = setUp(5);
    let ends = 0;
    wait(true);
    receive(7);
    turns.finish(() => {
      ends += 1;
    });
    nextTurn();
    expect([handled.length, ends]).toEqual([5, 0]);
    nextTurn();
    nextTurn();
    expect([handled, ends]).toEqual([upTo(7), 1]);
  });

  it('handles nothing that was discarded', () => {
    const { turns, handled, receive, nextTurn } = setUp(5);
    receive(9);
    turns.discard();
    nextTurn();
    expect(handled.length).toBe(5);
  });
});

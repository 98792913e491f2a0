import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DEFAULT_KEEPALIVE, Keepalive } from './keepalive.js';

const TIMERS = ['setInterval', 'clearInterval', 'setTimeout', 'clearTimeout', 'performance'] as const;
beforeEach(() => void vi.useFakeTimers({ toFake: [...TIMERS] }));
afterEach(() => void vi.useRealTimers());

function setUp(options = { pingIntervalMs: 30_000, pongTimeoutMs: 60_000 }) {
  const target = {
    ask: vi.fn(),
    dead: vi.fn(),
    paused: false,
    receivedBytes: 0,
    takenBytes: 0,
    backlogBytes: 0,
    hasUnread: false,
    owesAnswerSince: undefined as number | undefined,
    expectedAnswerMs: 0,
  };
  const keepalive = new Keepalive(target, options);
  return { target, keepalive };
}

/** Lets seconds pass, with something done in each. */
function pass(seconds: number, each: () => void = () => undefined): void {
  for (let second = 0; second < seconds; second++) {
    vi.advanceTimersByTime(1000);
    each();
  }
}

describe('Keepalive', () => {
  it('pings at the interval and ends a silent peer after the deadline', () => {
    const { target } = setUp();
    vi.advanceTimersByTime(30_000);
    expect(target.ask).toHaveBeenCalledTimes(1);
    target.takenBytes += 6;
    vi.advanceTimersByTime(29_999);
    expect(target.dead).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(target.dead).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(300_000);
    expect(target.dead).toHaveBeenCalledTimes(1);
  });

  it('finds a connection dead within 15 s by default, whenever it dies and whatever was on its way', () => {
    for (const diesAfter of [0, 1, 4, 5, 9, 33]) {
      const { target } = setUp(DEFAULT_KEEPALIVE);
      pass(diesAfter, () => void target.receivedBytes++);
      // Half a megabyte before the next ping, at the least pace that counts as alive.
      target.expectedAnswerMs = 2000;
      vi.advanceTimersByTime(15_000);
      expect(target.dead).toHaveBeenCalledTimes(1);
    }
  });

  it('keeps a peer that sends anything', () => {
    const { target } = setUp();
    for (let round = 0; round < 10; round++) {
      target.receivedBytes += 2;
      vi.advanceTimersByTime(30_000);
    }
    expect(target.dead).not.toHaveBeenCalled();
  });

  it('asks nothing of a peer that is heard and has read everything', () => {
    const { target } = setUp(DEFAULT_KEEPALIVE);
    pass(30, () => void target.receivedBytes++);
    expect(target.ask).not.toHaveBeenCalled();
    target.hasUnread = true;
    pass(5, () => void target.receivedBytes++);
    expect(target.ask).toHaveBeenCalledTimes(1);
  });

  it('ends a peer that is heard and does not hear: it answered before, and answers no longer', () => {
    const { target } = setUp(DEFAULT_KEEPALIVE);
    pass(30, () => void target.receivedBytes++);
    target.hasUnread = true;
    target.ask.mockImplementation(() => {
      target.owesAnswerSince ??= performance.now();
    });
    pass(15, () => void target.receivedBytes++);
    expect(target.dead).toHaveBeenCalledTimes(1);
  });

  it('does not end one for that which sends so much that it may not come to reading', () => {
    const { target } = setUp(DEFAULT_KEEPALIVE);
    target.owesAnswerSince = performance.now();
    pass(120, () => {
      target.receivedBytes += 20_000;
    });
    expect(target.dead).not.toHaveBeenCalled();
  });

  it('keeps a slow reader whose full buffer moves and ends one whose buffer stands still', () => {
    const { target } = setUp();
    target.backlogBytes = 1000;
    target.owesAnswerSince = performance.now();
    for (let round = 0; round < 10; round++) {
      vi.advanceTimersByTime(30_000);
      target.takenBytes += 1;
    }
    expect(target.dead).not.toHaveBeenCalled();
    vi.advanceTimersByTime(90_000);
    expect(target.dead).toHaveBeenCalledTimes(1);
  });

  it('gives a slow reader the time that its pace asks for, though not for ever', () => {
    const { target } = setUp(DEFAULT_KEEPALIVE);
    target.expectedAnswerMs = 30_000;
    vi.advanceTimersByTime(37_000);
    expect(target.dead).not.toHaveBeenCalled();
    vi.advanceTimersByTime(2000);
    expect(target.dead).toHaveBeenCalledTimes(1);
    const never = setUp(DEFAULT_KEEPALIVE);
    never.target.expectedAnswerMs = Number.POSITIVE_INFINITY;
    vi.advanceTimersByTime(61_000);
    expect(never.target.dead).toHaveBeenCalledTimes(1);
  });

  it('does not judge a peer that is not read', () => {
    const { target } = setUp();
    target.paused = true;
    target.owesAnswerSince = performance.now();
    vi.advanceTimersByTime(600_000);
    expect(target.dead).not.toHaveBeenCalled();
  });

  it('does not hold against the peer that this program itself was stopped', () => {
    const { target } = setUp(DEFAULT_KEEPALIVE);
    pass(10, () => void target.receivedBytes++);
    // The clock goes on and no timer fires, as in a debugger or a laptop that sleeps.
    const now = performance.now();
    vi.spyOn(performance, 'now').mockImplementation(() => now + 600_000);
    vi.advanceTimersToNextTimer();
    vi.mocked(performance.now).mockRestore();
    expect(target.dead).not.toHaveBeenCalled();
  });

  it('bears the silence of a peer that cannot come back for longer', () => {
    const { target, keepalive } = setUp(DEFAULT_KEEPALIVE);
    keepalive.tolerate(6);
    pass(47);
    expect(target.dead).not.toHaveBeenCalled();
    pass(6);
    expect(target.dead).toHaveBeenCalledTimes(1);
  });

  it('is off at interval 0 and after stop', () => {
    const off = setUp({ pingIntervalMs: 0, pongTimeoutMs: 60_000 });
    const { target, keepalive } = setUp();
    keepalive.stop();
    vi.advanceTimersByTime(600_000);
    expect(off.target.ask).not.toHaveBeenCalled();
    expect(target.ask).not.toHaveBeenCalled();
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Keepalive } from './keepalive.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function setUp(pingIntervalMs = 30_000) {
  const target = {
    ping: vi.fn(),
    dead: vi.fn(),
    paused: false,
    receivedBytes: 0,
    takenBytes: 0,
    backlogBytes: 0,
  };
  const keepalive = new Keepalive(target, { pingIntervalMs, pongTimeoutMs: 60_000 });
  return { target, keepalive };
}

describe('Keepalive', () => {
  it('pings at the interval and ends a silent peer after the deadline', () => {
    const { target } = setUp();
    vi.advanceTimersByTime(30_000);
    expect(target.ping).toHaveBeenCalledTimes(1);
    target.takenBytes += 6;
    vi.advanceTimersByTime(29_999);
    expect(target.dead).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(target.dead).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(300_000);
    expect(target.dead).toHaveBeenCalledTimes(1);
  });

  it('keeps a peer that sends anything', () => {
    const { target } = setUp();
    for (let round = 0; round < 10; round++) {
      target.receivedBytes += 2;
      vi.advanceTimersByTime(30_000);
    }
    expect(target.dead).not.toHaveBeenCalled();
  });

  it('keeps a slow reader whose full buffer moves and ends one whose buffer stands still', () => {
    const { target } = setUp();
    target.backlogBytes = 1000;
    for (let round = 0; round < 10; round++) {
      vi.advanceTimersByTime(30_000);
      target.takenBytes += 1;
    }
    expect(target.dead).not.toHaveBeenCalled();
    vi.advanceTimersByTime(90_000);
    expect(target.dead).toHaveBeenCalledTimes(1);
  });

  it('does not judge a peer that is not read', () => {
    const { target } = setUp();
    target.paused = true;
    vi.advanceTimersByTime(600_000);
    expect(target.dead).not.toHaveBeenCalled();
  });

  it('is off at interval 0 and after stop', () => {
    const off = setUp(0);
    const { target, keepalive } = setUp();
    keepalive.stop();
    vi.advanceTimersByTime(600_000);
    expect(off.target.ping).not.toHaveBeenCalled();
    expect(target.ping).not.toHaveBeenCalled();
  });
});

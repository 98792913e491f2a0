import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { DeliveryWindow } from './delivery-window.js';

const MIB = 1024 * 1024;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

function setUp() {
  const pings: Buffer[] = [];
  let openings = 0;
  const window = new DeliveryWindow({ ping: (mark) => void pings.push(mark), opened: () => void openings++ });
  const send = (bytes: number) => {
    for (let sent = 0; sent < bytes; sent += MIB / 4) window.sent(MIB / 4);
  };
  return { window, pings, send, openings: () => openings };
}

describe('DeliveryWindow', () => {
  it('lets four megabytes go without an answer, and counts what is beyond', () => {
    const { window, send } = setUp();
    send(4 * MIB);
    expect(window.excessBytes(0)).toBe(0);
    send(2 * MIB);
    expect(window.excessBytes(0)).toBe(2 * MIB);
    expect(window.excessBytes(1.5 * MIB)).toBe(MIB / 2);
  });

  it('is smaller for a sender that keeps little, and never larger', () => {
    const { window, pings, send } = setUp();
    window.narrow(2 * MIB);
    send(3 * MIB);
    expect([window.excessBytes(0), pings.length]).toEqual([MIB, 12]);
    window.narrow(64 * MIB);
    send(3 * MIB);
    expect(window.excessBytes(0)).toBe(2 * MIB);
  });

  it('opens as the client reads', () => {
    const { window, pings, send, openings } = setUp();
    send(6 * MIB);
    expect(pings).toHaveLength(12);
    window.pong(pings[7] ?? Buffer.alloc(0));
    expect([window.excessBytes(0), openings()]).toEqual([0, 1]);
    window.pong(pings[3] ?? Buffer.alloc(0));
    expect(openings()).toBe(1);
  });

  it('believes no answer to what was not asked', () => {
    const { window, send, openings } = setUp();
    send(6 * MIB);
    const lie = Buffer.alloc(8);
    for (const value of [7 * MIB, -1, Number.NaN, Number.POSITIVE_INFINITY]) {
      lie.writeDoubleBE(value);
      window.pong(lie);
    }
    window.pong(Buffer.alloc(0));
    expect([window.excessBytes(0), openings()]).toEqual([2 * MIB, 0]);
  });

  it('does not wait for ever for a client that answers no ping', () => {
    const { window, send, openings } = setUp();
    send(6 * MIB);
    vi.advanceTimersByTime(5000);
    expect([window.excessBytes(0), openings()]).toEqual([0, 1]);
  });

  it('waits for one that has answered before', () => {
    const { window, pings, send, openings } = setUp();
    send(MIB);
    window.pong(pings[0] ?? Buffer.alloc(0));
    send(8 * MIB);
    vi.advanceTimersByTime(60_000);
    expect(window.excessBytes(0)).toBeGreaterThan(0);
    expect(openings()).toBe(1);
  });
});

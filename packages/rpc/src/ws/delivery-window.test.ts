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
    expect(window.readBytes).toBe(0);
    window.narrow(64 * MIB);
    send(3 * MIB);
    expect(window.excessBytes(0)).toBe(2 * MIB);
  });

  it('opens as the client reads', () => {
    const { window, pings, send, openings } = setUp();
    send(6 * MIB);
    // Three at once with the first blocks, then one with every half megabyte.
    expect(pings).toHaveLength(13);
    window.pong(pings[7] ?? Buffer.alloc(0));
    expect([window.excessBytes(0), openings(), window.readBytes]).toEqual([0, 1, 3.25 * MIB]);
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

  it('says that nothing is known of such a client, and bounds it again when it answers late', () => {
    const { window, pings, send } = setUp();
    send(6 * MIB);
    vi.advanceTimersByTime(5000);
    expect(window.readBytes).toBeUndefined();
    window.pong(pings[0] ?? Buffer.alloc(0));
    expect([window.readBytes, window.excessBytes(0)]).toEqual([MIB / 4, 1.75 * MIB]);
  });

  it('knows the pace of a reader, and how long it may need for what is before the next ping', () => {
    const { window, pings, send } = setUp();
    send(MIB);
    vi.advanceTimersByTime(1000);
    window.pong(pings[0] ?? Buffer.alloc(0));
    // A quarter of a megabyte took a second, and as much is before the next one.
    expect(window.expectedAnswerMs).toBe(1024);
    vi.advanceTimersByTime(8000);
    window.pong(pings[1] ?? Buffer.alloc(0));
    expect(window.expectedAnswerMs).toBe(8000);
  });

  it('knows since when an answer is owed, and by whom it may be expected', () => {
    const { window, pings } = setUp();
    const start = performance.now();
    window.ask();
    expect(window.owesAnswerSince).toBeUndefined();
    window.pong(pings[0] ?? Buffer.alloc(0));
    vi.advanceTimersByTime(100);
    window.ask();
    vi.advanceTimersByTime(100);
    window.ask();
    expect(window.owesAnswerSince).toBe(start + 100);
    window.pong(pings[1] ?? Buffer.alloc(0));
    expect(window.owesAnswerSince).toBeUndefined();
  });

  it('gives a slow reader its time anew with each answer', () => {
    const { window, pings, send } = setUp();
    send(MIB);
    const start = performance.now();
    vi.advanceTimersByTime(4000);
    window.pong(pings[0] ?? Buffer.alloc(0));
    expect(window.owesAnswerSince).toBe(start + 4000);
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

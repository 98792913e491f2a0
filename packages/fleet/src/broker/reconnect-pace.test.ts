import type { Server } from '@nats-io/transport-node';
import { describe, expect, it } from 'vitest';
import { reconnectPace } from './reconnect-pace.js';

const SERVER = { hostname: 'broker' } as unknown as Server;

function setUp() {
  let time = 0;
  const pace = reconnectPace(
    () => time,
    () => 1,
  );
  return (ms: number): number => {
    time += ms;
    const choice = pace.reconnectToServer([SERVER], null);
    return choice !== null && 'delay' in choice ? choice.delay : Number.NaN;
  };
}

describe('the pause before the broker is dialled again', () => {
  it('is none for the first dial, short at first, and longer when the broker stays away', () => {
    const after = setUp();
    expect(after(0)).toBe(0);
    expect([after(60_000), after(200), after(2000)]).toEqual([200, 200, 200]);
    expect(after(7800)).toBe(1000 + 2000);
    expect([after(5000), after(5000), after(5000)]).toEqual([1500 + 3000, 2000 + 3000, 2000 + 3000]);
  });

  it('is short again in the next outage', () => {
    const after = setUp();
    after(0);
    for (let count = 0; count < 10; count++) after(5000);
    expect(after(60_000)).toBe(200);
  });
});

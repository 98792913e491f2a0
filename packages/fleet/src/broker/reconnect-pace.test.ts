import { describe, expect, it } from 'vitest';
import { reconnectPace } from './reconnect-pace.js';

/** A library that dials as the real one does: when the answer, added to its last dial, has passed by the wall clock. */
function setUp() {
  let time = 0;
  let wall = 1_000_000;
  let lastDial = 0;
  const { reached, ...pace } = reconnectPace({ now: () => time, wall: () => wall, random: () => 1 });
  const pass = (ms: number): void => {
    time += ms;
    wall += ms;
  };
  return {
    pass,
    reached,
    setClock: (ms: number): void => {
      wall += ms;
    },
    /** How long the library waits until it dials again; a second round of questions ends each pause. */
    pauseBeforeDial(): number {
      for (let waited = 0, asked = 0; asked < 10; asked++) {
        const wait = pace.reconnectDelayHandler();
        if (lastDial === 0 || lastDial + wait <= wall) {
          lastDial = wall;
          return waited;
        }
        const pause = Math.min(wait, lastDial + wait - wall);
        waited += pause;
        pass(pause);
      }
      return Number.NaN;
    },
  };
}

describe('the pause before the broker is dialled again', () => {
  it('is none for the first dial, short at first, and longer when the broker stays away', () => {
    const { pass, pauseBeforeDial } = setUp();
    expect(pauseBeforeDial()).toBe(0);
    pass(60_000);
    expect(pauseBeforeDial()).toBe(200);
    expect(pauseBeforeDial()).toBe(200);
    pass(9600);
    expect(pauseBeforeDial()).toBe(1000 + 2000);
    pass(11_000);
    expect(pauseBeforeDial()).toBe(2000 + 3000);
  });

  it('is short again in the next outage', () => {
    const { pass, pauseBeforeDial } = setUp();
    for (let count = 0; count < 10; count++) {
      pauseBeforeDial();
      pass(5000);
    }
    pass(60_000);
    expect(pauseBeforeDial()).toBe(200);
  });

  it('is short each time when the broker comes back and dies again and again', () => {
    const { pass, reached, pauseBeforeDial } = setUp();
    pauseBeforeDial();
    for (let count = 0; count < 20; count++) {
      reached();
      pass(1000);
      expect(pauseBeforeDial()).toBe(200);
    }
  });

  it('is longer when the broker takes the connection and drops it at once', () => {
    const { pass, reached, pauseBeforeDial } = setUp();
    pauseBeforeDial();
    pass(60_000);
    for (let count = 0; count < 40; count++) {
      pauseBeforeDial();
      reached();
      pass(100);
    }
    expect(pauseBeforeDial()).toBeGreaterThan(1000);
  });

  it('is not longer when the clock was set back, nor when it was set ahead', () => {
    const { pass, setClock, pauseBeforeDial } = setUp();
    pauseBeforeDial();
    pass(60_000);
    setClock(-3_600_000);
    expect(pauseBeforeDial()).toBe(0);
    expect(pauseBeforeDial()).toBe(200);
    setClock(3_600_000);
    expect(pauseBeforeDial()).toBe(200);
    expect(pauseBeforeDial()).toBe(200);
  });
});

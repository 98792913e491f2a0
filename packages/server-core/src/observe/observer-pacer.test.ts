import { expect, it } from 'vitest';
import { ManualClock } from '../../test-support/manual-clock.js';
import { ObserverPacer } from './observer-pacer.js';

function setUp() {
  const clock = new ManualClock();
  let worked = 0;
  const pacer = new ObserverPacer(clock, () => clock.now() + worked);
  const done: number[] = [];
  const ask = (name: number, ms: number): unknown =>
    pacer.run(() => {
      worked += ms;
      done.push(name);
      return name;
    });
  return { clock, done, ask };
}

it('answers at once who asks for little', () => {
  const { ask } = setUp();
  expect([ask(1, 5), ask(2, 5), ask(3, 5)]).toEqual([1, 2, 3]);
});

it('lets a flood wait, in order, so that most of the time is left for others', async () => {
  const { clock, done, ask } = setUp();
  const answers = Array.from({ length: 100 }, (_, name) => ask(name, 10));
  // 100 ms are free, which is two and a half times 10 with their rest.
  expect(done).toHaveLength(3);
  for (let ms = 0; ms < 1000; ms++) await clock.advance(1);
  // A fifth of a second's worth of work, and what was free.
  expect(done.length).toBeGreaterThanOrEqual(20);
  expect(done.length).toBeLessThanOrEqual(30);
  for (let ms = 0; ms < 10_000; ms++) await clock.advance(1);
  expect(done).toEqual(Array.from({ length: 100 }, (_, name) => name));
  expect(await Promise.all(answers)).toEqual(done);
});

it('passes on what fails', async () => {
  const { clock, ask } = setUp();
  const pacer = new ObserverPacer(clock, () => clock.now());
  expect(() =>
    pacer.run(() => {
      throw new TypeError('at once');
    }),
  ).toThrow('at once');
  expect(ask(1, 1)).toBe(1);
});

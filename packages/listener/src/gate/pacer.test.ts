import { expect, it } from 'vitest';
import { createPacer } from './pacer.js';

it('many runs at once take no more of a turn of the event loop than one, and all get on', async () => {
  let clock = 0;
  const breathe = createPacer(() => clock);
  const done = new Array<number>(50).fill(0);
  let steps = 0;
  let over = false;
  const perTurn: number[] = [];
  const watch = (): void => {
    perTurn.push(steps);
    steps = 0;
    if (!over) setImmediate(watch);
  };
  setImmediate(watch);
  await Promise.all(
    done.map(async (_, run) => {
      for (let step = 0; step < 20; step++) {
        await breathe();
        // Half a millisecond of work.
        clock += 0.5;
        steps += 1;
        done[run] = step + 1;
        // None is far ahead: a turn is four steps.
        expect(Math.max(...done) - Math.min(...done)).toBeLessThanOrEqual(8);
      }
    }),
  );
  over = true;
  expect(done).toEqual(new Array(50).fill(20));
  expect(Math.max(...perTurn)).toBeLessThanOrEqual(8);
});

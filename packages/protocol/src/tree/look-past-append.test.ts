import { expect, it } from 'vitest';
import { lookPastAppend } from './look-past-append.js';

async function lookAt(lengths: readonly number[]) {
  const pauses: number[] = [];
  const left = [...lengths];
  const seen = await lookPastAppend({
    look: async () => left.shift() ?? Number.NaN,
    mayBeBetween: (length) => length === 5,
    pause: async (delayMs) => pauses.push(delayMs),
  });
  return { seen, pauses };
}

it('what is clear is looked at once', async () => {
  expect(await lookAt([6])).toEqual({ seen: 6, pauses: [] });
});

it('a file that is between its time and its length is looked at again, a little later each time', async () => {
  expect(await lookAt([5, 5, 5, 7])).toEqual({ seen: 7, pauses: [1, 2, 4] });
});

it('a file that stays as it is was changed in place: the last look says so', async () => {
  expect(await lookAt([5, 5, 5, 5, 5, 5, 5, 9])).toEqual({ seen: 5, pauses: [1, 2, 4, 8, 16, 32] });
});

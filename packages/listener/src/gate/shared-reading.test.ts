import { expect, it } from 'vitest';
import { shareReadings } from './shared-reading.js';

it('whoever asks together shares one reading, whoever asks during it shares the next, and never do two run', async () => {
  let begun = 0;
  let running = 0;
  const finish: (() => void)[] = [];
  const read = shareReadings(async () => {
    const number = ++begun;
    running += 1;
    expect(running).toBe(1);
    await new Promise<void>((resolve) => finish.push(resolve));
    running -= 1;
    return number;
  });
  const turn = () => new Promise((resolve) => setTimeout(resolve, 5));
  const first = [read(), read(), read()];
  await turn();
  const second: Promise<number>[] = [];
  for (let asked = 0; asked < 20; asked++) {
    second.push(read());
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(begun).toBe(1);
  finish.shift()?.();
  expect(await Promise.all(first)).toEqual([1, 1, 1]);
  await turn();
  finish.shift()?.();
  expect(new Set(await Promise.all(second))).toEqual(new Set([2]));
});

it('a failed reading fails its askers and no others', async () => {
  let count = 0;
  const read = shareReadings(async () => {
    count += 1;
    if (count === 1) throw new Error('unreadable');
    return count;
  });
  await expect(read()).rejects.toThrow('unreadable');
  expect(await read()).toBe(2);
});

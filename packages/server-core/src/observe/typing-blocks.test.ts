import { expect, it } from 'vitest';
import { ManualClock } from '../../test-support/manual-clock.js';
import { TypingBlocks } from './typing-blocks.js';

it('tells the first key at once and the others by the second, each byte once', async () => {
  const clock = new ManualClock();
  const blocks = new TypingBlocks(clock);
  const told: string[] = [];
  const type = (key: string, bytes: number): void =>
    blocks.typed(key, bytes, (count) => told.push(`${key} ${count}`));
  type('a', 1);
  type('b', 4);
  expect(told).toEqual(['a 1', 'b 4']);
  for (let key = 0; key < 30; key++) {
    type('a', 1);
    await clock.advance(50);
  }
  // 20 of them were within the first second.
  expect(told).toEqual(['a 1', 'b 4', 'a 20']);
  await clock.advance(5000);
  expect(told.slice(3)).toEqual(['a 10']);
  type('a', 2);
  expect(told.slice(4)).toEqual(['a 2']);
});

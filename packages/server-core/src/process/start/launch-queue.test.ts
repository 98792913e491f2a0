import { describe, expect, it } from 'vitest';
import { LaunchQueue } from './launch-queue.js';

function setUp(maxConcurrent: number) {
  const turns: (() => void)[] = [];
  const queue = new LaunchQueue({ maxConcurrent, nextTurn: (action) => void turns.push(action) });
  const begun: number[] = [];
  const finish: (() => void)[] = [];
  const launch = (n: number) =>
    queue.run(() => {
      begun.push(n);
      return new Promise<number>((resolve) => {
        finish[n] = () => resolve(n);
      });
    });
  const nextTurn = async () => {
    for (const turn of turns.splice(0)) turn();
    await Promise.resolve();
  };
  return { launch, begun, finish, nextTurn };
}

describe('LaunchQueue', () => {
  it('begins one launch per turn of the event loop, the first at once', async () => {
    const { launch, begun, nextTurn } = setUp(10);
    for (let n = 0; n < 3; n++) void launch(n);
    expect(begun).toEqual([0]);
    await nextTurn();
    expect(begun).toEqual([0, 1]);
    await nextTurn();
    expect(begun).toEqual([0, 1, 2]);
  });

  it('has a bounded number under way, in the order of arrival', async () => {
    const { launch, begun, finish, nextTurn } = setUp(2);
    const results = [0, 1, 2, 3].map(launch);
    for (let i = 0; i < 5; i++) await nextTurn();
    expect(begun).toEqual([0, 1]);
    finish[1]?.();
    expect(await results[1]).toBe(1);
    for (let i = 0; i < 3; i++) await nextTurn();
    expect(begun).toEqual([0, 1, 2]);
  });

  it('goes on after a launch that failed', async () => {
    const queue = new LaunchQueue({ maxConcurrent: 1 });
    await expect(queue.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await queue.run(() => Promise.resolve('yes'))).toBe('yes');
  });
});

import { describe, expect, it } from 'vitest';
import { FewAtATime } from './few-at-a-time.js';

function setUp(limit: number) {
  const ended = new AbortController();
  const few = new FewAtATime(limit, ended.signal);
  const begun: number[] = [];
  const finish = new Map<number, (error?: Error) => void>();
  const run = (n: number) =>
    few.run(() => {
      begun.push(n);
      return new Promise<number>((resolve, reject) =>
        finish.set(n, (error) => (error === undefined ? resolve(n) : reject(error))),
      );
    });
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  return { ended, begun, finish, run, settle };
}

describe('few at a time', () => {
  it('begins no more than so many, and the next ones in order as others end, also by an error', async () => {
    const { begun, finish, run, settle } = setUp(2);
    const all = [0, 1, 2, 3].map(run);
    await settle();
    expect(begun).toEqual([0, 1]);
    finish.get(1)?.(new Error('broken'));
    await expect(all[1]).rejects.toThrow('broken');
    await settle();
    expect(begun).toEqual([0, 1, 2]);
    finish.get(0)?.();
    finish.get(2)?.();
    await settle();
    finish.get(3)?.();
    expect(await Promise.all([all[0], all[2], all[3]])).toEqual([0, 2, 3]);
    const more = [4, 5, 6].map(run);
    await settle();
    expect(begun.slice(4)).toEqual([4, 5]);
    for (const n of [4, 5]) finish.get(n)?.();
    await settle();
    finish.get(6)?.();
    await Promise.all(more);
  });

  it('begins none of those that wait when it is over', async () => {
    const { ended, begun, finish, run, settle } = setUp(1);
    const [first, ...others] = [0, 1, 2].map(run);
    const refused = Promise.allSettled(others);
    await settle();
    ended.abort(new Error('left'));
    finish.get(0)?.();
    expect(await first).toBe(0);
    expect((await refused).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(begun).toEqual([0]);
  });
});

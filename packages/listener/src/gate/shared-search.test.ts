import { expect, it } from 'vitest';
import { SharedSearch, type Wanted } from './shared-search.js';

const turn = () => new Promise((resolve) => setTimeout(resolve, 5));

it('whoever asks during a search shares the next, and never do two run', async () => {
  let running = 0;
  const searches: { readonly wanted: Wanted<number>; readonly end: () => void }[] = [];
  const search = new SharedSearch<number>(async (wanted) => {
    running += 1;
    expect(running).toBe(1);
    await new Promise<void>((end) => searches.push({ wanted, end }));
    running -= 1;
  });
  const first = search.find('a');
  await turn();
  const later = ['b', 'c', 'b'].map((key) => search.find(key));
  await turn();
  expect(searches).toHaveLength(1);
  searches[0]?.wanted.settle('a', 1);
  searches[0]?.end();
  expect(await first).toBe(1);
  await turn();
  expect(searches).toHaveLength(2);
  searches[1]?.wanted.settle('b', 2);
  searches[1]?.end();
  expect(await Promise.all(later)).toEqual([2, undefined, 2]);
});

it('answers at once what is found, under whichever of its keys, and is done when everybody has an answer', async () => {
  const ended: boolean[] = [];
  const search = new SharedSearch<string>(async (wanted) => {
    wanted.settle('second', 'found');
    ended.push(wanted.isEmpty);
    await new Promise(() => undefined);
  });
  expect(await search.find('first', 'second')).toBe('found');
  expect(ended).toEqual([true]);
});

it('a search that fails fails its askers and no others', async () => {
  let count = 0;
  const search = new SharedSearch<number>(async (wanted) => {
    count += 1;
    if (count === 1) throw new Error('unreadable');
    wanted.settle('x', count);
  });
  await expect(search.find('x')).rejects.toThrow('unreadable');
  expect(await search.find('x')).toBe(2);
});

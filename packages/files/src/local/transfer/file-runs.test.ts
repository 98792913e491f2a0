import { describe, expect, it } from 'vitest';
import { runsOf } from './file-runs.js';

const item = (path: string, isAlone = false) => ({ names: path.split('/'), isAlone });
const runs = (items: readonly ReturnType<typeof item>[]) =>
  [...runsOf(items)].map((run) => run.map(({ names }) => names.join('/')));

describe('runs of entries', () => {
  it('end where an entry stands alone, and where a path comes again', () => {
    expect(runs([item('a'), item('b'), item('d', true), item('d/a'), item('d/a'), item('d/b')])).toEqual([
      ['a', 'b'],
      ['d'],
      ['d/a'],
      ['d/a', 'd/b'],
    ]);
    expect(runs([])).toEqual([]);
  });

  it('are not longer than 64 files', () => {
    const files = Array.from({ length: 130 }, (_, index) => item(`f${index}`));
    expect(runs(files).map(({ length }) => length)).toEqual([64, 64, 2]);
  });

  it('need few descriptors, however deep the files lie', () => {
    const files = Array.from({ length: 64 }, (_, index) => item(`${`${index}/`.repeat(100)}file`));
    expect(runs(files).map(({ length }) => length)).toEqual(Array(32).fill(2));
  });
});

import { describe, expect, it } from 'vitest';
import { spreadOverDirectories } from './spread-over-directories.js';

const spread = (...paths: string[]) => spreadOverDirectories(paths, (path) => path);

describe('spreadOverDirectories', () => {
  it('puts what lies in different directories side by side, and keeps the order within each', () => {
    expect(spread('a/1', 'a/2', 'a/3', 'b/1', 'c/d/1', 'c/d/2', 'top')).toEqual([
      'a/1',
      'b/1',
      'c/d/1',
      'top',
      'a/2',
      'c/d/2',
      'a/3',
    ]);
  });

  it('leaves the files of one directory as they are', () => {
    expect(spread('1', '2', '1')).toEqual(['1', '2', '1']);
    expect(spread()).toEqual([]);
  });
});

import { describe, expect, it } from 'vitest';
import { staysInside, treeNames } from './tree-path.js';

describe('treeNames', () => {
  it('gives the names of a relative path', () => {
    expect(treeNames('')).toEqual([]);
    expect(treeNames('a/b c/ä')).toEqual(['a', 'b c', 'ä']);
  });

  it.each(['/a', 'a/', 'a//b', '.', '..', 'a/../b', '../a', 'a\0b', Array(129).fill('a').join('/')])(
    'refuses %j',
    (path) => {
      expect(treeNames(path)).toBeUndefined();
    },
  );

  it('does not look at a path that is too long', () => {
    expect(treeNames('a'.repeat(32_768))).toHaveLength(1);
    expect(treeNames('a'.repeat(32_769))).toBeUndefined();
    expect(staysInside('link', 'a'.repeat(32_769))).toBe(false);
  });
});

describe('staysInside', () => {
  it.each([
    ['link', 'file', true],
    ['a/link', '../file', true],
    ['a/b/link', '../../c/d', true],
    ['a/link', './b/./c', true],
    ['link', '..', false],
    ['link', '../x', false],
    ['a/link', '../../x', false],
    ['link', '/etc/passwd', false],
    ['a/link', 'b/../c', false],
    ['link', '', false],
  ])('%s -> %s: %s', (path, target, expected) => {
    expect(staysInside(path, target)).toBe(expected);
  });
});

import { describe, expect, it } from 'vitest';
import { compileExcludes } from './exclude-patterns.js';

const excluded = (patterns: readonly string[], path: string, isDirectory = false): boolean | undefined =>
  compileExcludes(patterns)?.(path.split('/'), isDirectory);

describe('compileExcludes', () => {
  it.each([
    ['*.log', 'a/b/x.log', true],
    ['*.log', 'a/b/x.logs', false],
    ['/*.log', 'a/x.log', false],
    ['/*.log', 'x.log', true],
    ['a/b', 'a/b', true],
    ['a/b', 'c/a/b', false],
    ['**/b', 'c/a/b', true],
    ['a/**/z', 'a/z', true],
    ['a/**/z', 'a/b/c/z', true],
    ['a/**', 'a', false],
    ['a/**', 'a/b/c', true],
    ['node_modules', 'x/node_modules', true],
    ['file?.[ch]', 'src/file1.c', true],
    ['file?.[!ch]', 'src/file1.c', false],
    ['[a-c]x', 'bx', true],
    ['\\*', '*', true],
    ['\\*', 'x', false],
    ['#x', '#x', false],
    ['\\#x', '#x', true],
    ['[', '[', true],
    ['', 'x', false],
    ['ä*', 'äöü', true],
    ['?', '😀', true],
  ])('%s %s %s', (pattern, path, expected) => {
    expect(excluded([pattern], path)).toBe(expected);
  });

  it('takes a pattern with a slash at its end for directories only', () => {
    expect(excluded(['build/'], 'a/build', true)).toBe(true);
    expect(excluded(['build/'], 'a/build', false)).toBe(false);
  });

  it('lets the last match decide', () => {
    expect(excluded(['*.log', '!keep.log'], 'keep.log')).toBe(false);
    expect(excluded(['*.log', '!keep.log', 'keep.*'], 'keep.log')).toBe(true);
  });

  it('refuses too many patterns, and too long ones', () => {
    expect(compileExcludes(Array.from({ length: 1001 }, () => 'x'))).toBeUndefined();
    expect(compileExcludes(['x'.repeat(1025)])).toBeUndefined();
  });

  it('takes a bounded number of steps for patterns made to be slow', () => {
    expect(excluded([`${'*a'.repeat(500)}b`], 'a'.repeat(250))).toBe(false);
    expect(excluded([`${'**/a/'.repeat(100)}b`], Array.from({ length: 120 }, () => 'a').join('/'))).toBe(
      false,
    );
  });

  it('answers the same in whatever order paths are asked for', () => {
    const lines = ['*.log', '/a/**/z', '!keep.log', '**/b/c*/', 'x?y', 'd/**'];
    const names = ['a', 'b', 'c1', 'z', 'x.log', 'keep.log', 'xzy', 'd'];
    const paths = names.flatMap((first) => [
      [first],
      ...names.flatMap((second) => [[first, second], ...names.map((third) => [first, second, third])]),
    ]);
    const kept = compileExcludes(lines);
    for (const path of [...paths, ...paths.toReversed()])
      expect([path, kept?.(path, true)]).toEqual([path, compileExcludes(lines)?.(path, true)]);
  });

  it('takes no more than 16384 characters in all', () => {
    expect(compileExcludes(Array(16).fill('x'.repeat(1024)))).toBeDefined();
    expect(compileExcludes([...Array(16).fill('x'.repeat(1024)), 'x'])).toBeUndefined();
  });
});

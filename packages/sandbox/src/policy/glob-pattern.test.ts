import { describe, expect, it } from 'vitest';
import { globMatcher, staticGlobPrefix } from './glob-pattern.js';

describe('deny globs', () => {
  it.each<[string, string, boolean]>([
    ['/a/*.env', '/a/x.env', true],
    ['/a/*.env', '/a/b/x.env', false],
    ['/a/**/*.env', '/a/x.env', true],
    ['/a/**/*.env', '/a/b/c/.env', true],
    ['/a/**', '/a/b/c', true],
    ['/a/?', '/a/b', true],
    ['/a/?', '/a//', false],
    ['/a/[bc]', '/a/b', true],
    ['/a/[!bc]', '/a/b', false],
    ['/a/[!b]', '/a//', false],
    ['/a/[b', '/a/[b', true],
    ['/a/{x,y}.pem', '/a/y.pem', true],
    ['/a/{x,y}.pem', '/a/z.pem', false],
    ['/a/\\*', '/a/*', true],
    ['/a/\\*', '/a/b', false],
    ['/a/x.env', '/a/xyenv', false],
    ['/a/plain', '/a/plain/below', true],
    ['/a/(x)', '/a/(x)', true],
    ['/a/*', '/a/new\nline', true],
  ])('%s and %j: %s', (pattern, path, expected) => {
    expect(globMatcher(pattern)(path)).toBe(expected);
  });

  it('a pattern that cannot be compiled denies everything below its fixed part', () => {
    const matches = globMatcher('/a/[z-a]');
    expect(matches('/a/anything')).toBe(true);
    expect(matches('/b')).toBe(false);
  });

  it('the fixed part ends before the first wildcard', () => {
    expect(['/a/b/*.env', '/a/b*/c', '/*', '/a/b'].map(staticGlobPrefix)).toEqual([
      '/a/b',
      '/a',
      '/',
      '/a/b',
    ]);
  });
});

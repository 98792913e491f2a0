import { describe, expect, it } from 'vitest';
import { checkGlobs, compileGlob, globDenial, staticGlobPrefix } from './glob-pattern.js';

const globMatcher = (pattern: string) => (path: string) => globDenial(pattern)(path) === 'itself';

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
    ['/a/**', '/a', false],
    ['/a/**/b/**/c', '/a/x/b/c', true],
    ['/a/**/b/**/c', '/a/b/y/z/c', true],
    ['/a/**/b/**/c', '/a/x/c', false],
    ['/a/**/b/c', '/a/b/x/b/c', true],
    ['/a/**.env', '/a/x/y.env', true],
    ['/a/**.env', '/a/y.env', true],
    ['/a/x**y/z', '/a/x1/2/3y/z', true],
    ['/a/x**y/z', '/a/x/z', false],
    ['/a/x**y**z', '/a/x/y/z', true],
    ['/a/x**y**z', '/a/x1/2y3/4/5z', true],
    ['/a/x**y**z', '/a/xyz', true],
    ['/a/x**y**z', '/a/xy/1/z', true],
    ['/a/x**y**z', '/a/x/z/y', false],
    ['/a/x**', '/a/x', true],
    ['/a/x**', '/a/xb/c/d', true],
    ['/a/x**/c', '/a/x/c', true],
    ['/a/x**/c', '/a/x/b/c', true],
    ['/a/x**/c', '/a/c', false],
    ['/a/***/c', '/a/c', true],
    ['/a/[**]x', '/a/b/x', false],
    ['/a/\\**', '/a/*b', true],
    ['/a/\\**', '/a/b', false],
    ['/a/*a*b', '/a/xaxbab', true],
    ['/a/*a*b', '/a/xaxba', false],
    ['/a/?', '/a/\u{1f600}', true],
    ['/a/[\u{1f600}]', '/a/\u{1f600}', true],
    ['/a/[a-c]', '/a/b', true],
    ['/a/[^a-c]', '/a/b', false],
    ['/a/[]]', '/a/]', true],
    ['/a/{b,c/{d,e}}/x', '/a/c/e/x', true],
    ['/a/{b,c', '/a/{b,c', true],
    ['/a/b}', '/a/b}', true],
    ['/a/[{]x', '/a/{x', true],
    ['/a/{,b}c', '/a/c', true],
  ])('%s and %j: %s', (pattern, path, expected) => {
    expect(globMatcher(pattern)(path)).toBe(expected);
  });

  it('a pattern that cannot be compiled denies everything below its fixed part', () => {
    const matches = globMatcher('/a/[z-a]');
    expect(matches('/a/anything')).toBe(true);
    expect(matches('/b')).toBe(false);
  });

  it('a directory that matches denies what is in it', () => {
    const denies = globDenial('/a/**/private');
    expect(['/a/x/private', '/a/private/b/c', '/a/x'].map(denies)).toEqual(['itself', 'above', undefined]);
  });

  it.each([
    ['stars', `/a/${'*a'.repeat(32)}*b`, `/a/${'a'.repeat(255)}`],
    // Nothing at its ends tells it apart, so every star is walked through.
    ['stars and no end', `/a/${'*a'.repeat(32)}*b*`, `/a/${'a'.repeat(255)}`],
    ['levels', `/a/${'**/'.repeat(30)}b`, `/a/${'c/'.repeat(500)}d`],
    ['levels with names', `/a/${'**/x/'.repeat(30)}b`, `/a/${'x/'.repeat(500)}d`],
    ['double stars', `/a/${'**a'.repeat(6)}c`, `/a/${'a/'.repeat(300)}b`],
  ])('answers at once whatever the pattern: many %s', (_what, pattern, path) => {
    checkGlobs([pattern]);
    const start = performance.now();
    expect(globDenial(pattern)(path)).toBe(undefined);
    expect(performance.now() - start).toBeLessThan(2000);
  });

  it.each([
    ['wildcards', `/a/${'*a'.repeat(65)}`],
    ['characters', `/${'a'.repeat(4096)}`],
    ['patterns', `/${'{a,b}'.repeat(8)}`],
    ['double stars', `/${'a**'.repeat(7)}`],
  ])('too many %s are refused, and the pattern is named', (what, pattern) => {
    expect(() => checkGlobs([pattern])).toThrow(new RegExp(what));
    expect(() => checkGlobs([pattern])).toThrow(pattern.slice(0, 50));
  });

  it('double stars inside of names multiply nothing: one form each choice of the braces', () => {
    const compiled = compileGlob(`/ws/${'{a,b}'.repeat(7)}${'a**'.repeat(6)}c`);
    expect(compiled).toHaveLength(128);
    expect(Math.max(...compiled.map((alternative) => alternative.size))).toBeLessThan(10);
  });

  it('the patterns of a policy are limited together, and the one too many is named', () => {
    const wide = (last: string): string => `/${'{a,b}'.repeat(7)}${last}`;
    const eight = Array.from({ length: 8 }, (_, index) => wide(`${index}*`));
    expect(() => checkGlobs(eight)).not.toThrow();
    expect(() => checkGlobs([...eight, '/one/more*'])).toThrow(/\/one\/more\*.*1025 patterns/);
    const long = Array.from({ length: 2 }, (_, index) => wide(`${'x'.repeat(600)}${index}*`));
    expect(() => checkGlobs(long)).toThrow(/characters in all/);
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

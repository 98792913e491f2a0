// What the page weighs, as a browser gets it. Somebody who watches from a phone over ssh waits for every byte.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, it } from 'vitest';

const FOLDER = join(import.meta.dirname, '..', '..', '..', 'apps', 'codex', 'dist', 'console');

const sizes = readdirSync(join(FOLDER, 'assets'))
  .filter((name) => /\.(?:js|css)$/.test(name))
  .map((name) => ({
    name,
    bytes: gzipSync(readFileSync(join(FOLDER, 'assets', name)), { level: 9 }).length,
  }));
const sum = (pattern: RegExp): number =>
  sizes.filter(({ name }) => pattern.test(name)).reduce((total, { bytes }) => total + bytes, 0);

it.each([
  ['scripts before anything is shown', /^index.*\.js$/, 45_000],
  ['the terminal, when one is opened', /^xterm.*\.js$/, 125_000],
  ['styles', /\.css$/, 10_000],
  ['everything', /./, 230_000],
])('%s', (_what, pattern, budget) => {
  expect(sum(pattern)).toBeGreaterThan(0);
  expect(sum(pattern)).toBeLessThanOrEqual(budget);
});

it('is a table of files that are all there, and all of them compressed', () => {
  const table = JSON.parse(readFileSync(join(FOLDER, 'files.json'), 'utf8')) as Record<
    string,
    { immutable: boolean }
  >;
  expect(Object.keys(table)).toContain('index.html');
  expect(table['index.html']?.immutable).toBe(false);
  for (const name of Object.keys(table))
    expect(readFileSync(join(FOLDER, `${name}.br`)).length).toBeLessThan(
      readFileSync(join(FOLDER, name)).length,
    );
  // Nothing of it is asked for elsewhere.
  const page = readFileSync(join(FOLDER, 'index.html'), 'utf8');
  expect(page.match(/(?:src|href)="(?!\/console\/assets\/|data:)/g)).toBeNull();
});

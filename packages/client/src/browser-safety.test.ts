// What a browser loads must not need Node: follows the imports from the package's root, with the web's platform.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const SOURCE = dirname(fileURLToPath(import.meta.url));
const ALLOWED = new Set(['@codex/exec-protocol', '@codex/exec-rpc']);

function reachable(file: string, seen = new Map<string, string[]>()): Map<string, string[]> {
  if (seen.has(file)) return seen;
  const text = readFileSync(file, 'utf8').replace(/import type [\s\S]*? from '[^']+';/g, '');
  const specifiers = [...text.matchAll(/^(?:import|export|\}) ?(?:.*? from )?'([^']+)';$/gm)].map(
    ([, specifier = '']) => specifier,
  );
  seen.set(file, specifiers);
  for (const specifier of specifiers) {
    const path = specifier === '#platform' ? join(SOURCE, 'web-platform.ts') : join(dirname(file), specifier);
    if (specifier.startsWith('.') || specifier === '#platform') reachable(path.replace(/\.js$/, '.ts'), seen);
  }
  return seen;
}

it('the root of the package imports nothing of Node', () => {
  const files = reachable(join(SOURCE, 'index.ts'));
  expect(files.size).toBeGreaterThan(40);
  const foreign = [...files.values()].flat().filter((specifier) => !/^(?:\.|#platform$)/.test(specifier));
  expect(foreign.filter((specifier) => !ALLOWED.has(specifier))).toEqual([]);
  expect([...files.keys()].filter((file) => file.startsWith(join(SOURCE, 'node')))).toEqual([]);
});

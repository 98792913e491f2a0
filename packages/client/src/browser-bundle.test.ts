// The package is bundled as a web application bundles it. A module of Node anywhere in what it reaches, in this package
// or in those below, is an error of the bundler.

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { expect, it } from 'vitest';

const packages = fileURLToPath(new URL('../..', import.meta.url));

it('bundles for browsers, with the packages below it', async () => {
  const { metafile, outputFiles } = await build({
    entryPoints: ['client', 'rpc', 'protocol'].map((name) => join(packages, name, 'src', 'index.ts')),
    outdir: 'unused',
    bundle: true,
    write: false,
    metafile: true,
    platform: 'browser',
    format: 'esm',
    conditions: ['@codex/source', 'browser'],
    logLevel: 'silent',
  });
  const inputs = Object.keys(metafile.inputs);
  expect(inputs.some((path) => path.endsWith('client/src/web-platform.ts'))).toBe(true);
  expect(inputs.filter((path) => path.includes('client/src/node/'))).toEqual([]);
  const [client] = outputFiles;
  expect(client?.text).toContain('ExecServerClient');
});

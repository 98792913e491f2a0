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
  expect(inputs.some((path) => path.endsWith('client/src/web/platform.ts'))).toBe(true);
  expect(inputs.filter((path) => path.includes('client/src/node/'))).toEqual([]);
  expect(outputFiles).toHaveLength(3);
});

it('keeps the name of its errors when a bundler shortens names', async () => {
  const { outputFiles } = await build({
    entryPoints: [join(packages, 'client', 'src', 'index.ts')],
    bundle: true,
    write: false,
    minify: true,
    platform: 'browser',
    format: 'esm',
    conditions: ['@codex/source', 'browser'],
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  const bundle = (await import(`data:text/javascript;base64,${code}`)) as typeof import('./index.js');
  const error = await bundle.ExecServerClient.connect('http://x').catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(bundle.ExecServerError);
  expect(error).toMatchObject({ name: 'ExecServerError', code: 'argument.invalid' });
});

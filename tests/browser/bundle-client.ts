// The client as a web application ships it: bundled and minified for browsers, from the sources of this checkout.

import { join } from 'node:path';
import { build } from 'esbuild';

export async function bundleClient(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'page-entry.ts')],
    bundle: true,
    write: false,
    minify: true,
    platform: 'browser',
    format: 'esm',
    target: 'es2022',
    conditions: ['@codex/source', 'browser'],
  });
  return outputFiles[0]?.text ?? '';
}

// The executable of the app, `dist/codex.js`: one small file that loads the others.
import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

export async function bundleExecutable(app: string): Promise<void> {
  const file = join(app, 'dist', 'codex.js');
  await build({
    entryPoints: [join(app, 'src', 'codex.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'error',
  });
  chmodSync(file, 0o755);
}

// The program for sandboxed files as the app starts it: a folder of its own, which is all of the app that a file sandbox shows.
// It is loaded like the app itself, with what V8 compiled in an earlier run (decisions 0052 and 0071).
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { asChunk } from './commonjs-chunks.ts';
import { packProgram } from './pack-program.ts';

const CONDITIONS = ['@codex/source', 'node', 'import', 'module', 'default'];

export async function bundleSandboxedHelper(app: string): Promise<void> {
  const folder = join(app, 'dist', 'fs-helper');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { outputFiles } = await build({
    entryPoints: { helper: join(app, 'src', 'sandboxed-files.ts') },
    outdir: folder,
    bundle: true,
    splitting: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: CONDITIONS,
    logLevel: 'error',
  });
  for (const { path, text } of outputFiles) writeFileSync(path, await asChunk(text));
  packProgram(folder);
  const loader = join(folder, 'codex-fs.cjs');
  await build({
    entryPoints: [join(app, 'src', 'codex-fs.ts')],
    outfile: loader,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    minifyWhitespace: true,
    minifySyntax: true,
    logLevel: 'error',
  });
  const { NODE_OPTIONS: _, ...env } = process.env;
  execFileSync(process.execPath, [loader, '--compile'], { env });
}

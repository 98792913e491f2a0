// `npm run bench:payloads -- [--rounds N] [--only TEXT,TEXT] [--json FILE]`: our client at both ends, as raw bytes and as text,
// beside OpenSSH, `ws` alone and Node alone. The client is bundled as its users would: a loader of sources has a heap of its own, which
// the garbage collector visits for every few megabytes that pass.
import { mkdtempSync, rmSync } from 'node:fs';
import { build } from 'esbuild';
import { setUp } from './setup.mjs';
import { bundleCodex, codexEntry } from './steps/bundle.mjs';
import { runCommand, runScript } from './steps/run-command.mjs';
import { inRoot, root } from './steps/workspace.mjs';

const REQUIRE =
  "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

await runScript(async () => {
  await setUp();
  await bundleCodex();
  const folder = mkdtempSync(inRoot('tests', 'bench', '.bundle-'));
  try {
    const outfile = `${folder}/payloads.mjs`;
    await build({
      entryPoints: [inRoot('tests', 'bench', 'payloads', 'payloads.ts')],
      outfile,
      bundle: true,
      platform: 'node',
      format: 'esm',
      conditions: ['@codex/source'],
      external: ['@codex/exec-fleet', 'bufferutil', 'utf-8-validate'],
      banner: { js: REQUIRE },
      logLevel: 'error',
    });
    await runCommand(
      process.execPath,
      [outfile, '--program', codexEntry, '--bench', inRoot('tests', 'bench'), ...process.argv.slice(2)],
      {
        cwd: root,
      },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

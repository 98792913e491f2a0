// `npm run bench -- [--rounds N] [--only TEXT,TEXT] [--without-codex] [--build NAME=PROGRAM] [--json FILE] [--svg FILE] [--from JSON]`

import { spawn } from 'node:child_process';
import { setUp } from './setup.mjs';
import { ensureBubblewrap } from './steps/bubblewrap.mjs';
import { bundleCodex } from './steps/bundle.mjs';
import { runScript } from './steps/run-command.mjs';
import { binary, inRoot } from './steps/workspace.mjs';

await runScript(async () => {
  await setUp();
  await ensureBubblewrap();
  await bundleCodex();
  const bench = spawn(binary('tsx'), [inRoot('tests', 'bench', 'bench.ts'), ...process.argv.slice(2)], {
    stdio: 'inherit',
  });
  bench.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
});

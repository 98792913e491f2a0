// `npm run bench -- [--rounds N] [--only TEXT,TEXT] [--without-codex] [--build NAME=PROGRAM] [--json FILE] [--svg FILE] [--from JSON]`
// `npm run bench -- growth [--rounds N] [--without-codex] [--json FILE] [--svg FILE] [--from JSON]`

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
  const words = process.argv.slice(2);
  const isGrowth = words[0] === 'growth';
  const program = isGrowth
    ? inRoot('tests', 'bench', 'growth', 'growth.ts')
    : inRoot('tests', 'bench', 'bench.ts');
  const bench = spawn(binary('tsx'), [program, ...words.slice(isGrowth ? 1 : 0)], {
    stdio: 'inherit',
  });
  bench.on('exit', (code) => {
    process.exitCode = code ?? 1;
  });
});

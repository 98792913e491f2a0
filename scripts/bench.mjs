// `npm run bench -- [--rounds N] [--only TEXT,TEXT] [--without-codex] [--build NAME=PROGRAM] [--json FILE] [--svg FILE] [--from JSON]`
// `npm run bench -- growth [--rounds N] [--without-codex] [--json FILE] [--svg FILE] [--from JSON]`
// `npm run bench -- shell [--build NAME=PROGRAM]`: the tool `shell` beside the last shell server of OpenAI; without any word it comes after the rows.

import { spawn } from 'node:child_process';
import { setUp } from './setup.mjs';
import { ensureBubblewrap } from './steps/bubblewrap.mjs';
import { bundleCodex } from './steps/bundle.mjs';
import { ensurePatchedBash } from './steps/patched-bash.mjs';
import { runScript, StepError } from './steps/run-command.mjs';
import { binary, inRoot, root } from './steps/workspace.mjs';

const args = process.argv.slice(2);

/** Tables go to stdout. */
const run = (command, parameters) =>
  new Promise((resolve, reject) => {
    const child = spawn(command, parameters, { cwd: root, stdio: 'inherit' });
    child.on('error', reject);
    child.on('exit', (code) =>
      code === 0 ? resolve() : reject(new StepError(`${command} ended with exit code ${code}`)),
    );
  });

const benchShell = async (parameters) => {
  await ensurePatchedBash();
  const speed = inRoot('tests', 'escalation-peers', 'speed.ts');
  await run(process.execPath, ['--conditions=@codex/source', '--import', 'tsx', speed, ...parameters]);
};

await runScript(async () => {
  await setUp();
  await ensureBubblewrap();
  await bundleCodex();
  const bench = (...path) => inRoot('tests', 'bench', ...path);
  if (args[0] === 'growth') await run(binary('tsx'), [bench('growth', 'growth.ts'), ...args.slice(1)]);
  else if (args[0] !== 'shell') await run(binary('tsx'), [bench('bench.ts'), ...args]);
  if (args[0] === 'shell' || args.length === 0) await benchShell(args.slice(1));
});

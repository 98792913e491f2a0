// `npm run build`: declarations by tsc, JavaScript by tsup, for every package.
import { setUp } from './setup.mjs';
import { runPnpm } from './steps/install.mjs';
import { runCommand, runScript } from './steps/run-command.mjs';
import { binary, root } from './steps/workspace.mjs';

await runScript(async () => {
  await setUp();
  await runCommand(binary('tsc'), ['-b'], { cwd: root });
  await runPnpm(['--recursive', '--stream', 'run', 'build']);
});

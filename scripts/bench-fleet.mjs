// `npm run bench:fleet`: a fleet against a server that is reached directly, in one run; with `many`, a hundred machines.
import { setUp } from './setup.mjs';
import { bundleCodex } from './steps/bundle.mjs';
import { runCommand, runScript } from './steps/run-command.mjs';
import { inRoot, root } from './steps/workspace.mjs';

const part = process.argv[2] === 'many' ? 'many' : 'ways';

await runScript(async () => {
  await setUp();
  await bundleCodex();
  const program = inRoot('tests', 'fleet', 'bench', `${part}.ts`);
  await runCommand(process.execPath, ['--conditions=@codex/source', '--import', 'tsx', program], {
    cwd: root,
  });
});

// `npm run bench:fleet`: a fleet against a server that is reached directly, in one run; with `many`, a hundred machines; with
// `losses`, how soon what died is told or got over; with `crowd`, what a fleet costs and bears; with `storm`,
// how everybody comes back to a broker that was killed.
import { setUp } from './setup.mjs';
import { bundleCodex } from './steps/bundle.mjs';
import { runCommand, runScript } from './steps/run-command.mjs';
import { inRoot, root } from './steps/workspace.mjs';

const [part = 'ways'] = process.argv.slice(2);
if (!['ways', 'many', 'losses', 'crowd', 'storm'].includes(part)) throw new Error(`there is no part ${part}`);

await runScript(async () => {
  await setUp();
  await bundleCodex();
  const program = inRoot('tests', 'fleet', 'bench', `${part}.ts`);
  await runCommand(process.execPath, ['--conditions=@codex/source', '--import', 'tsx', program], {
    cwd: root,
  });
});

// `npm run bench:payloads -- [--rounds N] [--only TEXT,TEXT] [--json FILE]`: our client at both ends, as raw bytes and as text,
// beside OpenSSH and Node alone.
import { setUp } from './setup.mjs';
import { bundleCodex } from './steps/bundle.mjs';
import { runCommand, runScript } from './steps/run-command.mjs';
import { inRoot, root } from './steps/workspace.mjs';

await runScript(async () => {
  await setUp();
  await bundleCodex();
  const program = inRoot('tests', 'bench', 'payloads', 'payloads.ts');
  const args = ['--conditions=@codex/source', '--import', 'tsx', program, ...process.argv.slice(2)];
  await runCommand(process.execPath, args, { cwd: root });
});

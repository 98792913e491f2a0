// `npm run pack -- FOLDER`: the public packages as tarballs, to be installed where there is no registry that has them.
import { resolve } from 'node:path';
import { setUp } from './setup.mjs';
import { packAll } from './steps/packages.mjs';
import { runCommand, runScript, say } from './steps/run-command.mjs';
import { root } from './steps/workspace.mjs';

await runScript(async () => {
  const folder = resolve(process.env.INIT_CWD ?? root, process.argv[2] ?? 'tarballs');
  await setUp();
  say('Building …');
  await runCommand('npm', ['run', '--silent', 'build'], { cwd: root, quiet: true });
  const tarballs = await packAll(folder);
  say(`${tarballs.size} packages are in ${folder}.`);
});

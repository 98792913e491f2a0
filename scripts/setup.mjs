// `npm run setup`: everything that has to be there before the project builds, tests or serves.
// It returns within a second or two when nothing changed.
import { pathToFileURL } from 'node:url';
import { installDependencies } from './steps/install.mjs';
import { checkRequirements } from './steps/requirements.mjs';
import { runCommand, runScript, say } from './steps/run-command.mjs';
import { inRoot } from './steps/workspace.mjs';

export async function setUp() {
  checkRequirements();
  await installDependencies();
  for (const name of ['launcher', 'escalation']) {
    const script = inRoot('packages', name, 'scripts', 'build-native.mjs');
    const said = await runCommand(process.execPath, [script], { quiet: true });
    // That nothing had to be done is no news.
    for (const line of said.trim().split('\n')) if (!line.endsWith(': current')) say(line);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  await runScript(async () => {
    await setUp();
    say('Set-up is complete.');
  });
}

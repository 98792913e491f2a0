// `npm run test:escalation-peers`: our wrapper and Bash with the shell server 0.97.0 of OpenAI, and its wrapper and Bash with our
// broker. Opt-in, because it installs that server (47 MB) into the user's cache folder. `npm run bench -- shell` compares the two.
import { setUp } from './setup.mjs';
import { bundleCodex } from './steps/bundle.mjs';
import { ensurePatchedBash } from './steps/patched-bash.mjs';
import { runCommand, runScript } from './steps/run-command.mjs';
import { binary, root } from './steps/workspace.mjs';

await runScript(async () => {
  await setUp();
  await ensurePatchedBash();
  await bundleCodex();
  await runCommand(binary('vitest'), ['run', '--project', 'escalation-peers', ...process.argv.slice(2)], {
    cwd: root,
  });
});

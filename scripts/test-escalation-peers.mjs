// `npm run test:escalation-peers`: our wrapper and Bash with the shell server 0.97.0 of OpenAI, and its wrapper and Bash with our
// broker. `-- --measure` tells instead what interception adds to an exec, beside that server. Opt-in, because it installs that server
// (47 MB) into the user's cache folder.
import { setUp } from './setup.mjs';
import { ensurePatchedBash } from './steps/patched-bash.mjs';
import { runCommand, runScript } from './steps/run-command.mjs';
import { binary, inRoot, root } from './steps/workspace.mjs';

await runScript(async () => {
  await setUp();
  await ensurePatchedBash();
  if (process.argv.includes('--measure')) {
    const measure = inRoot('tests', 'escalation-peers', 'measure.ts');
    await runCommand(process.execPath, ['--conditions=@codex/source', '--import', 'tsx', measure], {
      cwd: root,
    });
    return;
  }
  await runCommand(binary('vitest'), ['run', '--project', 'escalation-peers', ...process.argv.slice(2)], {
    cwd: root,
  });
});

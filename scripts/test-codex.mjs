// `npm run test:codex`: the real Codex CLI on our server, then the conformance suite against the real server. Opt-in,
// because it needs the codex that CODEX_BINARY names, or installs one (300 MB) into the user's cache folder.
import { setUp } from './setup.mjs';
import { ensureBubblewrap } from './steps/bubblewrap.mjs';
import { bundleCodex } from './steps/bundle.mjs';
import { runPnpm } from './steps/install.mjs';
import { runCommand, runScript, say } from './steps/run-command.mjs';
import { binary, root } from './steps/workspace.mjs';

const STEPS = [
  ['Set-up', setUp],
  ['Bubblewrap', ensureBubblewrap],
  ['Build', bundleCodex],
  [
    'The Codex CLI on our server and on its own',
    () =>
      runCommand(binary('vitest'), ['run', '--project', 'codex', ...process.argv.slice(2)], { cwd: root }),
  ],
  [
    'Conformance of the real server',
    () => runPnpm(['--filter', '@codex/tests-conformance', 'run', 'test:codex']),
  ],
];

await runScript(async () => {
  for (const [title, step] of STEPS) {
    say(`\n— ${title}`);
    await step();
  }
});

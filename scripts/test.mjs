// `npm test`: sets up, then lints, type-checks and runs all tests. One failing step ends it.
import { lint } from './lint.mjs';
import { setUp } from './setup.mjs';
import { ensureBubblewrap } from './steps/bubblewrap.mjs';
import { bundleCodex } from './steps/bundle.mjs';
import { runCommand, runScript, say } from './steps/run-command.mjs';
import { binary, inRoot, root } from './steps/workspace.mjs';

const vitest = (...projects) =>
  runCommand(binary('vitest'), ['run', ...projects.flatMap((project) => ['--project', project])], {
    cwd: root,
  });

const STEPS = [
  ['Set-up', setUp],
  ['Bubblewrap', ensureBubblewrap],
  [
    'Type check',
    async () => {
      await runCommand(binary('tsc'), ['-b'], { cwd: root });
      await runCommand(binary('tsc'), ['-p', 'tsconfig.test.json'], { cwd: root });
    },
  ],
  ['Lint', lint],
  ['Unit tests', () => vitest('unit')],
  ['Build', bundleCodex],
  ['Integration and conformance tests', () => vitest('integration', 'conformance')],
  ['Packages', () => runCommand(process.execPath, [inRoot('scripts', 'check-packages.mjs')])],
];

await runScript(async () => {
  const started = Date.now();
  for (const [title, step] of STEPS) {
    say(`\n— ${title}`);
    await step();
  }
  say(`\nAll checks passed in ${Math.round((Date.now() - started) / 1000)} s.`);
});

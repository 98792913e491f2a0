// `npm test`: sets up, then lints, type-checks and runs all tests. One failing step ends it.
import { lint } from './lint.mjs';
import { setUp } from './setup.mjs';
import { ensureBubblewrap } from './steps/bubblewrap.mjs';
import { bundleCodex } from './steps/bundle.mjs';
import { ensureChromium } from './steps/chromium.mjs';
import { ensurePythonPackages } from './steps/python-packages.mjs';
import { runCommand, runScript, say } from './steps/run-command.mjs';
import { binary, inRoot, root } from './steps/workspace.mjs';
import { testNative } from './test-native.mjs';

const vitest = (project, options) =>
  runCommand(binary('vitest'), ['run', '--project', project], { cwd: root, ...options });

/** Runs beside another step: silent when it passes, with all it said when it fails. */
const inBackground = async (title, step) => {
  await step({ quiet: true });
  say(`  ${title} ✓`);
};

const checkTypes = async () => {
  await runCommand(binary('tsc'), ['-b'], { cwd: root });
  await runCommand(binary('tsc'), ['-p', 'tsconfig.test.json'], { cwd: root });
};

const checkPackages = (options) =>
  runCommand(process.execPath, [inRoot('scripts', 'check-packages.mjs')], options);

const STEPS = [
  ['Set-up', setUp],
  ['Bubblewrap', ensureBubblewrap],
  ['Python', ensurePythonPackages],
  ['Type check', checkTypes],
  [
    'Lint, unit tests and the launcher under sanitizers',
    () =>
      Promise.all([
        lint(),
        inBackground('unit tests', (o) => vitest('unit', o)),
        inBackground('launcher under sanitizers', testNative),
      ]),
  ],
  ['Build', bundleCodex],
  [
    'Integration and conformance tests',
    () => Promise.all([vitest('integration'), inBackground('conformance', (o) => vitest('conformance', o))]),
  ],
  ['Sandbox tests', () => vitest('sandbox')],
  ['Hostile tests, the short part', () => vitest('hostile')],
  [
    'Browser tests',
    async () => {
      await ensureChromium();
      await vitest('browser');
    },
  ],
  // Not beside the tests: it builds the app anew, and they run it.
  ['Packages', checkPackages],
];

await runScript(async () => {
  const started = Date.now();
  for (const [title, step] of STEPS) {
    say(`\n— ${title}`);
    await step();
  }
  say(`\nAll checks passed in ${Math.round((Date.now() - started) / 1000)} s.`);
});

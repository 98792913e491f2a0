// `npm test`: sets up, then lints, type-checks and runs all tests. One failing step ends it.
import { lint } from './lint.mjs';
import { setUp } from './setup.mjs';
import { ensureBubblewrap } from './steps/bubblewrap.mjs';
import { bundleCodex } from './steps/bundle.mjs';
import { ensureChromium } from './steps/chromium.mjs';
import { ensurePatchedBash } from './steps/patched-bash.mjs';
import { ensurePythonPackages } from './steps/python-packages.mjs';
import { runCommand, runScript, say } from './steps/run-command.mjs';
import { binary, inRoot, root } from './steps/workspace.mjs';

const vitest = (project, options) =>
  runCommand(binary('vitest'), ['run', '--project', project], { cwd: root, ...options });

/**
 * Runs steps at once and waits for all of them, so that what a failed one said stands at the end of the output and not
 * somewhere in that of the others.
 */
const atOnce = async (...steps) => {
  const failures = (await Promise.allSettled(steps)).filter(({ status }) => status === 'rejected');
  for (const { reason } of failures.slice(1)) say(`\n✗ ${reason.message}`);
  if (failures.length > 0) throw failures[0].reason;
};

/** Runs beside another step: silent when it passes, with all it said when it fails. */
const inBackground = async (title, step) => {
  await step({ quiet: true });
  say(`  ${title} ✓`);
};

const checkTypes = async () => {
  await runCommand(binary('tsc'), ['-b'], { cwd: root });
  await runCommand(binary('tsc'), ['-p', 'tsconfig.test.json'], { cwd: root });
  // What runs in a browser knows other globals.
  await runCommand(binary('tsc'), ['-p', 'packages/console/tsconfig.test.json'], { cwd: root });
};

/** Imported when it runs: what it builds with lies in packages that the set-up links. */
const testNative = async (options) => (await import('./test-native.mjs')).testNative(options);

const checkPackages = (options) =>
  runCommand(process.execPath, [inRoot('scripts', 'check-packages.mjs')], options);

const STEPS = [
  ['Set-up', setUp],
  ['Bubblewrap', ensureBubblewrap],
  ['Python', ensurePythonPackages],
  // The patched Bash is built once per machine, and needed from the next step on.
  ['Type check', () => atOnce(checkTypes(), ensurePatchedBash())],
  [
    'Lint, unit tests and the native programs under sanitizers',
    () =>
      atOnce(
        lint(),
        inBackground('unit tests', (o) => vitest('unit', o)),
        inBackground('native programs under sanitizers', testNative),
      ),
  ],
  ['Build', bundleCodex],
  [
    'Integration and conformance tests',
    () =>
      atOnce(
        vitest('integration'),
        inBackground('conformance', (o) => vitest('conformance', o)),
      ),
  ],
  ['Sandbox tests', () => vitest('sandbox')],
  ['Fleet tests, the short part', () => vitest('fleet')],
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

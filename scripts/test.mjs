// `npm test`: sets up, then lints, type-checks and runs all tests. One failing step ends it.
import { lint } from './lint.mjs';
import { setUp } from './setup.mjs';
import { ensureBubblewrap } from './steps/bubblewrap.mjs';
import { buildPackages } from './steps/bundle.mjs';
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

const secondsSince = (at) => Math.round((Date.now() - at) / 1000);

/** Runs beside another step: silent when it passes, with all it said when it fails. */
const inBackground = async (title, step) => {
  const at = Date.now();
  await step({ quiet: true });
  say(`  ${title} ✓ (${secondsSince(at)} s)`);
};

const inSequence = async (steps) => {
  for (const [title, step] of steps) await inBackground(title, step);
};

const compile = (...args) => runCommand(binary('tsc'), args, { cwd: root });

const checkTestTypes = async () => {
  await compile('-p', 'tsconfig.test.json');
  // What runs in a browser knows other globals.
  await compile('-p', 'packages/console/tsconfig.test.json');
};

/** Imported when it runs: what it builds with lies in packages that the set-up links. */
const testNative = async (options) => (await import('./test-native.mjs')).testNative(options);

const checkPackages = (options) =>
  runCommand(process.execPath, [inRoot('scripts', 'check-packages.mjs')], options);

/** Steps that need the processor: as many at once as keep two cores busy. */
const checkSources = () =>
  atOnce(
    // The type-aware rules read the declarations that the compiler writes.
    compile('-b').then(lint),
    checkTestTypes().then(() => inBackground('unit tests', (o) => vitest('unit*', o))),
    // One suite under sanitizers runs the patched Bash, which is built once per machine.
    ensurePatchedBash().then(() => inBackground('native programs under sanitizers', testNative)),
  );

/**
 * Steps that mostly wait. Those of a sequence follow each other, because each keeps a server busy.
 * None of them looks at what is not its own: processes are found by a mark or as descendants, ports come from the system.
 */
const runTests = () =>
  atOnce(
    vitest('integration'),
    inBackground('fleet', (o) => vitest('fleet', o)),
    inSequence([
      ...['conformance', 'hostile'].map((project) => [project, (o) => vitest(project, o)]),
      ['packages', checkPackages],
    ]),
  );

/**
 * After the others. Sandboxes of several users lay their mount points on the same names in /tmp, one file of these tests after the
 * other; a browser that gets less than a processor misses its waits.
 */
const runTestsApart = () =>
  atOnce(
    vitest('browser'),
    inBackground('sandbox', (o) => vitest('sandbox', o)),
  );

const STEPS = [
  ['Set-up', setUp],
  ['Bubblewrap', ensureBubblewrap],
  ['Python', ensurePythonPackages],
  ['Chromium', ensureChromium],
  ['Types, lint, unit tests and the native programs under sanitizers', checkSources],
  // All of it, and once: tests run the app, and the packages are packed beside them.
  ['Build', buildPackages],
  ['Integration, conformance, fleet and hostile tests; packages', runTests],
  ['Browser and sandbox tests', runTestsApart],
];

await runScript(async () => {
  const started = Date.now();
  for (const [title, step] of STEPS) {
    say(`\n— ${title}`);
    const at = Date.now();
    await step();
    say(`  ${title}: ${secondsSince(at)} s`);
  }
  say(`\nAll checks passed in ${secondsSince(started)} s.`);
});

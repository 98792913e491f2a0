// `npm run test:native`: the C of the launcher and of the escalation under the address and undefined-behaviour sanitizers. First their
// parsers (of launch records, of frames from the sandbox) are fuzzed for some seconds (by libFuzzer where clang is, else by drivers of
// our own), then integration tests run over programs that are built with the sanitizers. `FUZZ_SECONDS` and `FUZZ_SEED` make it
// longer or different.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as escalation from '../packages/escalation/scripts/build-native.mjs';
import * as launcher from '../packages/launcher/scripts/build-native.mjs';
import { isOnPath } from './steps/requirements.mjs';
import { runCommand, runScript, StepError, say } from './steps/run-command.mjs';
import { binary, inRoot, root } from './steps/workspace.mjs';

const SANITIZERS = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-fno-omit-frame-pointer'];
const FLAGS = ['-std=c11', '-g', '-O1', '-Wall', '-Wextra', '-Werror', ...SANITIZERS];
const isSource = (file) => file.endsWith('.c');

/** `suites`: what starts, ends and talks; not what measures memory or takes it away, which sanitizers need plenty of. */
const SUBJECTS = [
  {
    name: 'codex-launcher',
    native: inRoot('packages', 'launcher', 'native'),
    programs: { CODEX_TEST_LAUNCHER: { sources: launcher.sourceFiles().filter(isSource), include: [] } },
    fuzzed: {
      target: 'fuzz-spec.c',
      driver: 'mutate-records.c',
      parsers: ['command/spec.c', 'command/kept-mounts.c'],
    },
    suites: [
      'tree',
      'nursery-protocol',
      'granted-descriptors',
      'mounts/kept-mounts',
      'terminal/terminal',
    ].map((name) => `launcher/${name}`),
  },
  {
    name: 'exec interception',
    native: inRoot('packages', 'escalation', 'native'),
    // With the C library: the sanitizers need one.
    programs: {
      CODEX_TEST_WRAPPER: { sources: escalation.programFiles.wrapper().filter(isSource), include: [] },
      CODEX_TEST_BROKER: {
        sources: escalation.programFiles.broker().filter(isSource),
        include: escalation.includeFlags,
      },
    },
    fuzzed: {
      target: 'fuzz-frames.c',
      driver: 'mutate-frames.c',
      parsers: ['wire/json.c', 'wire/messages.c', 'wire/text.c', 'wire/utf8.c'],
    },
    suites: ['execs', 'load', 'bounds'].map((name) => `escalation/native-${name}`),
  },
];

export async function testNative(options = {}) {
  if (process.platform !== 'linux') return say('  the native programs are for Linux: nothing to test here');
  for (const subject of SUBJECTS) {
    const folder = mkdtempSync(join(tmpdir(), 'test-native-'));
    try {
      await fuzz(subject, folder, options);
      await runSuites(subject, folder, options);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }
}

async function fuzz({ native, fuzzed }, folder, options) {
  const program = join(folder, 'fuzz');
  const seconds = process.env.FUZZ_SECONDS ?? '4';
  const seed = process.env.FUZZ_SEED ?? '1';
  const sources = [join('test', fuzzed.target), ...fuzzed.parsers].map((file) => join(native, file));
  const run = (args) => runCommand(program, args, { cwd: folder, ...options });
  if (isOnPath('clang')) {
    try {
      await runCommand('clang', [...FLAGS, '-fsanitize=fuzzer', '-o', program, ...sources], options);
      await run([`-max_total_time=${seconds}`, `-seed=${seed}`, '-max_len=65536', '-verbosity=0']);
      return;
    } catch (error) {
      // A clang without its run-time libraries cannot link; a fault that was found is one.
      if (readdirSync(folder).includes('fuzz')) throw error;
    }
  }
  const driver = join(native, 'test', fuzzed.driver);
  await runCommand('cc', [...FLAGS, '-o', program, driver, ...sources], options);
  await run([seconds, seed]);
}

async function runSuites({ native, programs, suites }, folder, options) {
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  for (const each of [folder, logs]) chmodSync(each, 0o777); // some tests run as another user
  const log = `-DSANITIZER_LOG="${join(logs, 'found')}"`;
  const reporting = inRoot('packages', 'launcher', 'native', 'test', 'sanitizer-options.c');
  const env = {};
  for (const [variable, { sources, include }] of Object.entries(programs)) {
    env[variable] = join(folder, variable);
    const args = [...FLAGS, ...include, log, '-o', env[variable], ...sources, reporting];
    await runCommand('cc', args, { cwd: native, ...options });
  }
  const files = suites.map((suite) => `tests/integration/${suite}.test.ts`);
  const outcome = await runCommand(binary('vitest'), ['run', '--project', 'integration', ...files], {
    cwd: root,
    env,
    ...options,
  }).then(
    () => undefined,
    (error) => error,
  );
  // A warning says that the address sanitizer does not know the stack of a child before its exec.
  const texts = readdirSync(logs).map((file) => readFileSync(join(logs, file), 'utf8'));
  const found = texts.filter((text) => /ERROR: |runtime error: /.test(text));
  if (found.length > 0) throw new StepError(`the sanitizers found:\n${found.join('\n')}`);
  if (outcome !== undefined) throw outcome;
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) await runScript(testNative);

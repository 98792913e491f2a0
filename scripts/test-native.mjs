// `npm run test:native`: the launcher's C under the address and undefined-behaviour sanitizers. First the parser of launch
// records is fuzzed for some seconds (by libFuzzer where clang is, else by a driver of our own), then integration tests run
// over a launcher that is built with the sanitizers. `FUZZ_SECONDS` and `FUZZ_SEED` make it longer or different.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { sourceFiles } from '../packages/launcher/scripts/build-native.mjs';
import { isOnPath } from './steps/requirements.mjs';
import { runCommand, runScript, StepError, say } from './steps/run-command.mjs';
import { binary, inRoot, root } from './steps/workspace.mjs';

const native = inRoot('packages', 'launcher', 'native');
const inTest = (file) => join(native, 'test', file);
const SANITIZERS = ['-fsanitize=address,undefined', '-fno-sanitize-recover=all', '-fno-omit-frame-pointer'];
const FLAGS = ['-std=c11', '-g', '-O1', '-Wall', '-Wextra', '-Werror', ...SANITIZERS];
/** What starts, ends and talks; not what measures memory or takes it away, which sanitizers need plenty of. */
const SUITES = ['tree', 'nursery-protocol', 'granted-descriptors', 'terminal/terminal'];

export async function testNative(options = {}) {
  if (process.platform !== 'linux') return say('  the launcher is for Linux: nothing to test here');
  const folder = mkdtempSync(join(tmpdir(), 'test-native-'));
  try {
    await fuzz(folder, options);
    await runSuites(folder, options);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fuzz(folder, options) {
  const program = join(folder, 'fuzz');
  const seconds = process.env.FUZZ_SECONDS ?? '4';
  const seed = process.env.FUZZ_SEED ?? '1';
  const sources = [inTest('fuzz-spec.c'), join(native, 'command', 'spec.c')];
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
  await runCommand('cc', [...FLAGS, '-o', program, inTest('mutate-records.c'), ...sources], options);
  await run([seconds, seed]);
}

async function runSuites(folder, options) {
  const logs = join(folder, 'logs');
  mkdirSync(logs);
  for (const each of [folder, logs]) chmodSync(each, 0o777); // some tests run as another user
  const program = join(folder, 'codex-launcher');
  const sources = sourceFiles().filter((file) => file.endsWith('.c'));
  const log = `-DSANITIZER_LOG="${join(logs, 'found')}"`;
  await runCommand('cc', [...FLAGS, log, '-o', program, ...sources, inTest('sanitizer-options.c')], {
    cwd: native,
    ...options,
  });
  const files = SUITES.map((name) => `tests/integration/launcher/${name}.test.ts`);
  const outcome = await runCommand(binary('vitest'), ['run', '--project', 'integration', ...files], {
    cwd: root,
    env: { CODEX_TEST_LAUNCHER: program },
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

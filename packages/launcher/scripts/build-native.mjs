// Builds native/*.c and native/command/*.c (see native-targets.mjs). `--prebuilt` also copies the results to prebuilt/, which is what
// the npm package ships.
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildTargets, filesIn } from './native-targets.mjs';

const packageRoot = join(dirname(fileURLToPath(import.meta.url)), '..');

/** Returns one sentence per target: what was built, what was current, or why not. */
export function buildNative({ prebuilt = false } = {}) {
  const sources = sourceFiles().filter((file) => file.endsWith('.c'));
  return buildTargets({
    packageRoot,
    what: 'codex-launcher',
    without: {
      platform: 'uses the pure-Node path',
      compiler: 'commands run on the pure-Node path, which is weaker (see exec-server doctor)',
    },
    // Static: starts faster and runs on any libc. Some systems ship no static libc.
    programs: [{ name: 'codex-launcher', sources, variants: [['-static'], []] }],
    stamped: sourceFiles(),
    prebuilt,
  });
}

/** Relative to native/: the program, without what only tests compile. */
export function sourceFiles() {
  return filesIn(join(packageRoot, 'native'), ['', 'command']);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { messages } = buildNative({ prebuilt: process.argv.includes('--prebuilt') });
  process.stdout.write(`${messages.join('\n')}\n`);
}

// Builds the wrapper with its broker (static), and the preload library (for the dynamic loader of glibc), from native/ and the parts
// of the launcher's C that are the same thing. `--prebuilt` also copies the results to prebuilt/, which is what the npm package ships.
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const packageRoot = join(dirname(fileURLToPath(import.meta.url)), '..');
const sourceDir = join(packageRoot, 'native');
const launcher = dirname(createRequire(import.meta.url).resolve('@codex/launcher/package.json'));
const { buildTargets, filesIn } = await import(
  pathToFileURL(join(launcher, 'scripts', 'native-targets.mjs')).href
);

const shared = relative(sourceDir, join(launcher, 'native'));
const SHARED = ['io', 'tree', 'process-stat'].flatMap((name) => [`${name}.c`, `${name}.h`]);
const isSource = (file) => file.endsWith('.c');

/** Relative to native/: what the wrapper is made of, headers included. */
export function sourceFiles() {
  return [
    ...filesIn(sourceDir, ['', 'broker', 'client', 'wire']),
    ...SHARED.map((file) => join(shared, file)),
  ];
}

export const includeFlags = [`-I${shared}`];

export function buildNative({ prebuilt = false } = {}) {
  const client = [
    'client/ask.c',
    'client/escalated.c',
    ...filesIn(sourceDir, ['wire', 'preload']).filter(isSource),
  ];
  return buildTargets({
    packageRoot,
    what: 'codex-execve-wrapper',
    without: { platform: 'has no exec interception', compiler: 'there is no exec interception' },
    programs: [
      {
        name: 'codex-execve-wrapper',
        sources: sourceFiles().filter(isSource),
        variants: [[...includeFlags, '-static'], includeFlags],
      },
      {
        name: 'codex-bash-preload.so',
        sources: client,
        variants: [['-fPIC', '-shared', '-fvisibility=hidden']],
      },
    ],
    stamped: [...sourceFiles(), ...filesIn(sourceDir, ['preload'])],
    prebuilt,
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { messages } = buildNative({ prebuilt: process.argv.includes('--prebuilt') });
  process.stdout.write(`${messages.join('\n')}\n`);
}

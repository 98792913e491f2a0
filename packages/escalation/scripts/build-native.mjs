// Builds the wrapper (with no C library where this processor is known, because it starts before every program), the broker (static), and
// the preload library (for the dynamic loader of glibc), from native/ and the parts of the launcher's C that are the same thing.
// `--prebuilt` also copies the results to prebuilt/, which is what the npm package ships.
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

/** Relative to native/: what the programs are made of, headers included. */
export const programFiles = {
  wrapper: () => filesIn(sourceDir, ['wrapper', 'client', 'wire']),
  broker: () => [...filesIn(sourceDir, ['broker', 'wire']), ...SHARED.map((file) => join(shared, file))],
};
const preloadFiles = () => filesIn(sourceDir, ['preload', 'client', 'wire']);
const bareFiles = () => filesIn(sourceDir, ['bare']);

export const includeFlags = [`-I${shared}`];
const withoutLibrary = [
  '-nostdlib',
  '-static',
  '-fno-pie',
  '-no-pie',
  '-ffreestanding',
  '-fno-tree-loop-distribute-patterns', // a memcpy that is made of memcpy
  '-U_FORTIFY_SOURCE',
  '-mstack-protector-guard=global',
  '-Wl,--build-id=none,-z,noseparate-code', // one piece, which comes with one fault
];

export function buildNative({ prebuilt = false } = {}) {
  const broker = programFiles.broker().filter(isSource);
  return buildTargets({
    packageRoot,
    what: 'exec interception',
    without: { platform: 'has none', compiler: 'there is no exec interception' },
    programs: [
      {
        name: 'codex-execve-wrapper',
        sources: programFiles.wrapper().filter(isSource),
        variants: [[...withoutLibrary, ...bareFiles().filter(isSource)], ['-static'], []],
      },
      {
        name: 'codex-escalation-broker',
        sources: broker,
        variants: [[...includeFlags, '-static'], includeFlags],
      },
      {
        name: 'codex-bash-preload.so',
        sources: preloadFiles().filter(isSource),
        variants: [['-fPIC', '-shared', '-fvisibility=hidden']],
      },
    ],
    stamped: [
      ...new Set([...programFiles.wrapper(), ...programFiles.broker(), ...preloadFiles(), ...bareFiles()]),
    ],
    prebuilt,
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { messages } = buildNative({ prebuilt: process.argv.includes('--prebuilt') });
  process.stdout.write(`${messages.join('\n')}\n`);
}

// Builds native/*.c and native/command/*.c with the system's C compiler into native/build/<platform>-<arch>/, for this machine and, where its
// cross compiler is installed, for the other Linux architecture. Does nothing when sources, flags and compiler are
// unchanged. `--prebuilt` also copies the results to prebuilt/, which is what the npm package ships.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const packageRoot = join(dirname(fileURLToPath(import.meta.url)), '..');
const sourceDir = join(packageRoot, 'native');
const flags = [
  '-std=c11',
  '-O2',
  '-Wall',
  '-Wextra',
  '-Werror',
  '-fstack-protector-strong',
  '-D_FORTIFY_SOURCE=2',
  '-s',
];
const crossCompilers = { arm64: 'aarch64-linux-gnu-gcc', x64: 'x86_64-linux-gnu-gcc' };

/** Returns one sentence per target: what was built, what was current, or why not. */
export function buildNative({ prebuilt = false } = {}) {
  if (process.platform !== 'linux') {
    return {
      built: false,
      messages: [`The launcher is for Linux; ${process.platform} uses the pure-Node path.`],
    };
  }
  const messages = [];
  const host = process.env.CC ?? 'cc';
  if (!runs(host)) {
    messages.push(
      `No C compiler (${host}) was found: commands run on the pure-Node path, which is weaker (see exec-server doctor). ` +
        'Install one (Debian: apt-get install gcc libc6-dev) and run the set-up again.',
    );
    return { built: false, messages };
  }
  messages.push(buildTarget(process.arch, host));
  for (const [arch, compiler] of Object.entries(crossCompilers)) {
    if (arch !== process.arch && runs(compiler)) messages.push(buildTarget(arch, compiler));
  }
  if (prebuilt) messages.push(...copyPrebuilt());
  return { built: true, messages };
}

function runs(compiler) {
  return spawnSync(compiler, ['--version'], { stdio: 'ignore' }).status === 0;
}

function buildTarget(arch, compiler) {
  const name = `linux-${arch}`;
  const outDir = join(sourceDir, 'build', name);
  const binary = join(outDir, 'codex-launcher');
  const stampFile = join(outDir, 'stamp');
  const stamp = sourceStamp(compiler);
  if (existsSync(binary) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) {
    return `codex-launcher ${name}: current`;
  }
  mkdirSync(outDir, { recursive: true });
  const sources = sourceFiles().filter((file) => file.endsWith('.c'));
  const fresh = join(outDir, `codex-launcher.${process.pid}`);
  const compile = (extra) =>
    spawnSync(compiler, [...flags, ...extra, '-o', fresh, ...sources], { cwd: sourceDir, encoding: 'utf8' });
  // Static: starts faster and runs on any libc. Some systems ship no static libc.
  let result = compile(['-static']);
  if (result.status !== 0) result = compile([]);
  if (result.status !== 0) throw new Error(`${compiler} could not build codex-launcher:\n${result.stderr}`);
  renameSync(fresh, binary); // a running supervisor keeps its old file
  writeFileSync(stampFile, stamp);
  return `codex-launcher ${name}: built`;
}

/** Relative to native/: the program, without what only tests compile. */
export function sourceFiles() {
  return ['', 'command']
    .flatMap((folder) => readdirSync(join(sourceDir, folder)).map((file) => join(folder, file)))
    .filter((file) => /\.[ch]$/.test(file))
    .sort();
}

function sourceStamp(compiler) {
  const hash = createHash('sha256').update(JSON.stringify([compiler, flags]));
  for (const file of sourceFiles()) hash.update(file).update(readFileSync(join(sourceDir, file)));
  return hash.digest('hex');
}

function copyPrebuilt() {
  rmSync(join(packageRoot, 'prebuilt'), { recursive: true, force: true });
  return readdirSync(join(sourceDir, 'build')).map((name) => {
    const target = join(packageRoot, 'prebuilt', name);
    mkdirSync(target, { recursive: true });
    copyFileSync(join(sourceDir, 'build', name, 'codex-launcher'), join(target, 'codex-launcher'));
    return `codex-launcher ${name}: copied to prebuilt/`;
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { messages } = buildNative({ prebuilt: process.argv.includes('--prebuilt') });
  process.stdout.write(`${messages.join('\n')}\n`);
}

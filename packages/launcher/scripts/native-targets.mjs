// Builds the C programs of a package with the system's C compiler into native/build/<platform>-<arch>/, for this machine and, where
// its cross compiler is installed, for the other Linux architecture. Does nothing when sources, flags and compiler are unchanged.
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
import { join } from 'node:path';

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

/**
 * `programs`: each with its `name`, the `sources` of which it is made, and `variants` of further flags, of which the first that
 * compiles is taken. `stamped`: the files, relative to `native/`, whose change means a new build. Returns one sentence per target:
 * what was built, what was current, or why not.
 */
export function buildTargets({ packageRoot, what, without, programs, stamped, prebuilt }) {
  if (process.platform !== 'linux') {
    return { built: false, messages: [`The ${what} is for Linux; ${process.platform} ${without.platform}.`] };
  }
  const messages = [];
  const host = process.env.CC ?? 'cc';
  if (!runs(host)) {
    messages.push(
      `No C compiler (${host}) was found: ${without.compiler}. ` +
        'Install one (Debian: apt-get install gcc libc6-dev) and run the set-up again.',
    );
    return { built: false, messages };
  }
  const build = (arch, compiler) => buildTarget({ packageRoot, what, programs, stamped, arch, compiler });
  messages.push(build(process.arch, host));
  for (const [arch, compiler] of Object.entries(crossCompilers)) {
    if (arch !== process.arch && runs(compiler)) messages.push(build(arch, compiler));
  }
  if (prebuilt) messages.push(...copyPrebuilt(packageRoot, what, programs));
  return { built: true, messages };
}

function runs(compiler) {
  return spawnSync(compiler, ['--version'], { stdio: 'ignore' }).status === 0;
}

function buildTarget({ packageRoot, what, programs, stamped, arch, compiler }) {
  const name = `linux-${arch}`;
  const sourceDir = join(packageRoot, 'native');
  const outDir = join(sourceDir, 'build', name);
  const stampFile = join(outDir, 'stamp');
  const stamp = sourceStamp({ sourceDir, programs, stamped, compiler });
  const isThere = programs.every((program) => existsSync(join(outDir, program.name)));
  if (isThere && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp) {
    return `${what} ${name}: current`;
  }
  mkdirSync(outDir, { recursive: true });
  for (const program of programs) compileProgram({ program, compiler, sourceDir, outDir });
  writeFileSync(stampFile, stamp);
  return `${what} ${name}: built`;
}

function compileProgram({ program, compiler, sourceDir, outDir }) {
  const fresh = join(outDir, `${program.name}.${process.pid}`);
  let result;
  for (const extra of program.variants) {
    const args = [...flags, ...extra, '-o', fresh, ...program.sources];
    result = spawnSync(compiler, args, { cwd: sourceDir, encoding: 'utf8' });
    if (result.status === 0) break;
  }
  if (result.status !== 0) throw new Error(`${compiler} could not build ${program.name}:\n${result.stderr}`);
  renameSync(fresh, join(outDir, program.name)); // what runs keeps its old file
}

function sourceStamp({ sourceDir, programs, stamped, compiler }) {
  const hash = createHash('sha256').update(JSON.stringify([compiler, flags, programs]));
  for (const file of stamped) hash.update(file).update(readFileSync(join(sourceDir, file)));
  return hash.digest('hex');
}

function copyPrebuilt(packageRoot, what, programs) {
  const builds = join(packageRoot, 'native', 'build');
  rmSync(join(packageRoot, 'prebuilt'), { recursive: true, force: true });
  return readdirSync(builds).map((name) => {
    const target = join(packageRoot, 'prebuilt', name);
    mkdirSync(target, { recursive: true });
    for (const program of programs)
      copyFileSync(join(builds, name, program.name), join(target, program.name));
    return `${what} ${name}: copied to prebuilt/`;
  });
}

/** The C files of some folders below `native/`, relative to it. */
export function filesIn(sourceDir, folders) {
  return folders
    .flatMap((folder) => readdirSync(join(sourceDir, folder)).map((file) => join(folder, file)))
    .filter((file) => /\.[ch]$/.test(file))
    .sort();
}

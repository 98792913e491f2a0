// Checks every package as its users get it, after `npm run build`: packed, linted by publint and are-the-types-wrong, then
// installed from the tarballs into an empty folder, where each export is imported and the server is run through npx.
import { spawn } from 'node:child_process';
import { accessSync, constants, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'esbuild';
import { checkInstalledCommand } from './steps/check-installed-command.mjs';
import { packAll, publicPackages } from './steps/packages.mjs';
import { runCommand, runScript, StepError, say } from './steps/run-command.mjs';
import { binary, inRoot, root } from './steps/workspace.mjs';

/** Of what a TypeScript project on Node has besides: `@types/node`. */
const TYPE_ROOTS = inRoot('node_modules', '@types');

await runScript(async () => {
  const folder = mkdtempSync(join(tmpdir(), 'exec-packages-'));
  const clean = () => rmSync(folder, { recursive: true, force: true });
  // An interrupted check does not come to its end.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.once(signal, () => {
      clean();
      process.exit(1);
    });
  }
  try {
    const tarballs = await packAll(join(folder, 'tarballs'));
    await checkTarballs([...tarballs.values()]);
    await checkInstalled(join(folder, 'consumer'), tarballs);
  } finally {
    clean();
  }
});

async function checkTarballs(files) {
  for (const file of files) {
    await runCommand(binary('publint'), ['run', file, '--strict'], { cwd: root, quiet: true });
    await runCommand(binary('attw'), [file, '--profile', 'esm-only'], { cwd: root, quiet: true });
  }
  say(`  publint and are-the-types-wrong: ${files.length} packages ✓`);
}

async function checkInstalled(folder, tarballs) {
  await runCommand('mkdir', ['-p', folder]);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({ name: 'consumer', private: true, type: 'module' }),
  );
  // A package for another system is an optional dependency of ours: here npm has to leave it out by itself.
  const forHere = publicPackages().filter(
    ({ manifest }) => manifest.os?.includes(process.platform) !== false,
  );
  const files = forHere.map(({ manifest }) => tarballs.get(manifest.name));
  // Strict: a dependency that wants a newer Node than ours is an error here, and a warning to every user.
  const flags = ['--engine-strict', '--no-audit', '--no-fund', '--loglevel=error'];
  await runCommand('npm', ['install', ...flags, ...files], { cwd: folder, quiet: true });
  checkNothingCompiled(folder);
  const exported = forHere.flatMap(({ manifest }) =>
    Object.keys(manifest.exports ?? {})
      .filter((path) => !path.endsWith('.json'))
      .map((path) => manifest.name + path.slice(1)),
  );
  const script = `for (const name of ${JSON.stringify(exported)}) {
    for (const [as, value] of Object.entries(await import(name))) {
      const isClass = typeof value === 'function' && String(value).startsWith('class');
      if (isClass && value.name !== as) throw new Error(name + ': ' + as + ' calls itself ' + value.name);
    }
  }`;
  await runCommand(process.execPath, ['--input-type=module', '--eval', script], { cwd: folder, quiet: true });
  say(`  imported from the tarballs: ${exported.length} entry points ✓`);
  await checkTypes(folder, exported);
  say('  their types with `tsc --strict` ✓');
  await bundleForBrowsers(folder);
  say('  the client bundled for browsers, from its tarball and from its dist ✓');
  for (const owner of ['launcher', 'exec-server']) {
    const program = join(
      'node_modules',
      '@codex',
      owner,
      'prebuilt',
      `${process.platform}-${process.arch}`,
      'codex-launcher',
    );
    if (process.platform === 'linux') accessSync(join(folder, program), constants.X_OK);
  }
  await checkServes(folder);
  say('  npx @codex/exec-server from the tarballs ✓');
  await checkInstalledCommand(folder);
  say('  exec-server run, cp, sandbox, mcp-server, completion, configuration from the tarballs ✓');
}

/** On Linux no package may have a script that runs when it is installed: a user needs no compiler. */
function checkNothingCompiled(folder) {
  if (process.platform !== 'linux') return;
  const { packages } = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8'));
  const compiled = Object.entries(packages).filter(([, entry]) => entry.hasInstallScript && !entry.optional);
  const present = Object.keys(packages).filter((path) => existsSync(join(folder, path, 'binding.gyp')));
  if (compiled.length === 0 && present.length === 0) return;
  const names = [...compiled.map(([path]) => path), ...present].join(', ');
  throw new StepError(`these run a script or compile when they are installed: ${names}`);
}

/** Declarations count as well: they may name no types that are not installed with them. */
async function checkTypes(folder, exported) {
  const imports = exported.map((name, index) => `import * as _${index} from '${name}';`);
  writeFileSync(join(folder, 'imports.ts'), `${imports.join('\n')}\n`);
  const flags = ['--strict', '--noEmit', '--target', 'es2022', '--lib', 'es2023,dom,esnext.disposable'];
  for (const resolution of ['nodenext', 'bundler']) {
    const module = resolution === 'bundler' ? 'esnext' : resolution;
    const how = [
      '--module',
      module,
      '--moduleResolution',
      resolution,
      '--typeRoots',
      TYPE_ROOTS,
      '--types',
      'node',
    ];
    await runCommand(binary('tsc'), [...flags, ...how, 'imports.ts'], { cwd: folder, quiet: true });
  }
}

/** A module of Node in what a browser would load is an error of the bundler. */
async function bundleForBrowsers(folder) {
  const entry = "export * from '@codex/exec-client';";
  // In the checkout the package's own build is resolved unless the condition for sources is set.
  for (const resolveDir of [folder, inRoot('tests', 'browser')]) {
    try {
      await build({
        stdin: { contents: entry, resolveDir },
        bundle: true,
        write: false,
        platform: 'browser',
        format: 'esm',
        logLevel: 'silent',
      });
    } catch (error) {
      throw new StepError(`the client does not bundle for browsers from ${resolveDir}: ${error.message}`);
    }
  }
}

/** Starts the server as a user would and waits until it answers on the address it prints. */
async function checkServes(folder) {
  const server = spawn('npx', ['@codex/exec-server', '--console', '--listen', 'ws://127.0.0.1:0'], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    // npx does not pass a signal on to what it runs: the whole group gets it.
    detached: true,
  });
  const errors = [];
  server.stderr.on('data', (block) => errors.push(block));
  const ended = new Promise((resolve) => server.once('close', resolve));
  try {
    const url = await firstLine(server, ended);
    const response = await fetch(`${url.replace('ws:', 'http:')}/readyz`);
    if (response.status !== 200) throw new StepError(`GET /readyz answered ${response.status}`);
    const page = await fetch(`${url.replace('ws:', 'http:')}/console/`);
    if (page.status !== 200) throw new StepError(`GET /console/ answered ${page.status}`);
  } catch (error) {
    throw new StepError(`npx @codex/exec-server: ${error.message}\n${Buffer.concat(errors)}`);
  } finally {
    process.kill(-server.pid, 'SIGTERM');
    await ended;
  }
}

function firstLine(server, ended) {
  return new Promise((resolve, reject) => {
    createInterface({ input: server.stdout }).once('line', resolve);
    void ended.then((code) => reject(new StepError(`ended with ${code} before it printed its address`)));
  });
}

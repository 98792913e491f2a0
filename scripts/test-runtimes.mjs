// `npm run test:runtimes`: the published client on Node, Bun and Deno. Opt-in, because it fetches both from npm. A
// runtime that npm has no program of for this machine is named and left out.
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, connect as dial } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setUp } from './setup.mjs';
import { bundleCodex, codexEntry } from './steps/bundle.mjs';
import { runPnpm } from './steps/install.mjs';
import { packAll } from './steps/packages.mjs';
import { runCommand, runScript, StepError, say } from './steps/run-command.mjs';
import { binary, inRoot, root } from './steps/workspace.mjs';

const CLIENT_PACKAGES = ['@codex/exec-client', '@codex/exec-rpc', '@codex/exec-protocol'];
const SMOKE_MS = 60_000;

await runScript(async () => {
  await setUp();
  await bundleCodex();
  await runCommand(binary('tsc'), ['-b'], { cwd: root });
  await runPnpm(['--recursive', 'run', 'build'], { quiet: true });
  const folder = mkdtempSync(join(tmpdir(), 'exec-runtimes-'));
  const token = randomBytes(24).toString('base64');
  const server = await startServer(folder, token);
  try {
    const consumer = await install(folder);
    const proxy = await cuttingProxy(server.port);
    for (const [name, program, ...args] of runtimes(consumer)) {
      if (program === undefined) {
        say(`  ${name}: SKIPPED, npm has no program of it for this machine`);
        continue;
      }
      const version = await runCommand(program, ['--version'], { quiet: true });
      const files = join(folder, `files-${name}`);
      mkdirSync(files);
      await smoke([program, ...args, 'smoke.mjs', proxy.url, token, files], consumer, proxy);
      say(`  ${name} ${version.split('\n')[0]} ✓`);
    }
    proxy.close();
  } finally {
    server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});

/** The packed client and both runtimes in an empty folder. No install script runs: the programs are packages. */
async function install(folder) {
  const tarballs = await packAll(join(folder, 'tarballs'));
  const consumer = join(folder, 'consumer');
  mkdirSync(consumer);
  writeFileSync(join(consumer, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  copyFileSync(inRoot('tests', 'runtimes', 'smoke.mjs'), join(consumer, 'smoke.mjs'));
  const packages = CLIENT_PACKAGES.map((name) => tarballs.get(name));
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  await runCommand('npm', ['install', ...flags, ...packages, 'bun', 'deno'], { cwd: consumer, quiet: true });
  return consumer;
}

function runtimes(consumer) {
  return [
    ['node', process.execPath],
    ['bun', programOf(consumer, '@oven', join('bin', 'bun')), 'run'],
    ['deno', programOf(consumer, '@deno', 'deno'), 'run', '--allow-all', '--node-modules-dir=manual'],
  ];
}

function programOf(consumer, scope, path) {
  const packages = join(consumer, 'node_modules', scope);
  if (!existsSync(packages)) return undefined;
  return readdirSync(packages)
    .map((name) => join(packages, name, path))
    .find((program) => existsSync(program));
}

function smoke([program, ...args], cwd, proxy) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd, stdio: ['ignore', 'pipe', 'pipe'] });
    const errors = [];
    let isDone = false;
    child.stderr.on('data', (block) => errors.push(block));
    const timer = setTimeout(() => child.kill('SIGKILL'), SMOKE_MS);
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line === 'cut') setTimeout(() => proxy.cut(), 300);
      if (line === 'done') isDone = true;
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      if (isDone && code === 0) resolve();
      else reject(new StepError(`${program} ended with ${code ?? signal}\n${Buffer.concat(errors)}`));
    });
  });
}

async function startServer(folder, token) {
  const tokenFile = join(folder, 'token');
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const auth = ['--ws-auth', 'capability-token', '--ws-token-file', tokenFile];
  const args = [codexEntry, 'exec-server', '--listen', 'ws://127.0.0.1:0', ...auth];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const url = await new Promise((resolve, reject) => {
    createInterface({ input: child.stdout }).once('line', resolve);
    child.once('close', (code) => reject(new StepError(`the server ended with ${code}`)));
  });
  return { port: Number(new URL(url).port), stop: () => child.kill('SIGTERM') };
}

/** A TCP proxy whose connections can be broken. */
async function cuttingProxy(port) {
  const sockets = new Set();
  const server = createServer((inner) => {
    const outer = dial(port, '127.0.0.1');
    for (const [socket, other] of [
      [inner, outer],
      [outer, inner],
    ]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `ws://127.0.0.1:${server.address().port}`,
    cut,
    close: () => {
      cut();
      server.close();
    },
  };
}

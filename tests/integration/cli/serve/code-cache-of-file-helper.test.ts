// What V8 compiled for sandboxed files lies beside that program too: made outside of any sandbox, once for an installation, and
// taken by every helper that follows.
import { spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { APP } from '../support/codex-command.js';

let folder: string;
let helper: string;
let cache: string;

beforeAll(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'helper-code-')));
  for (const part of ['dist', 'prebuilt']) {
    cpSync(join(dirname(APP), '..', part), join(folder, part), { recursive: true });
  }
  helper = join(folder, 'dist', 'fs-helper', 'codex-fs.cjs');
  cache = join(dirname(helper), 'code-cache');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

beforeEach(() => rmSync(cache, { recursive: true, force: true }));

const compile = (env: NodeJS.ProcessEnv = {}) =>
  spawnSync(process.execPath, [helper, '--compile'], { env, encoding: 'utf8' });

const cacheFile = (): string => join(cache, readdirSync(cache)[0] ?? '');

const POLICY = {
  type: 'policy',
  policy: { rules: [], denyGlobs: [], protectedNames: [], fullDiskWrite: false },
  places: [],
};

/** Whether it told the server that V8 had to compile. */
function compilesAnew(): boolean {
  const text = JSON.stringify(POLICY);
  const input = Buffer.alloc(8 + text.length);
  input.writeUInt32LE(text.length);
  input.write(text, 8);
  const { stdout, stderr } = spawnSync(process.execPath, [helper, '--serve'], { input, env: {} });
  expect(String(stderr)).toBe('');
  const ready = JSON.parse(stdout.toString('utf8', 8)) as { type: string; isCompiledAnew?: boolean };
  expect(ready.type).toBe('ready');
  return ready.isCompiledAnew === true;
}

it('is used once it was made, and not for a program that has changed', () => {
  expect(compilesAnew()).toBe(true);
  expect(existsSync(cache)).toBe(false);
  expect(compile()).toMatchObject({ status: 0, stdout: '', stderr: '' });
  expect(compilesAnew()).toBe(false);
  utimesSync(join(dirname(helper), 'program.bin'), 1, 1);
  expect(compilesAnew()).toBe(true);
});

it('is not made under other flags, and not used where others could have written it', () => {
  compile({ NODE_OPTIONS: '--no-opt' });
  expect(existsSync(cache)).toBe(false);
  compile();
  chmodSync(cacheFile(), 0o666);
  expect(compilesAnew()).toBe(true);
});

it.runIf(process.platform === 'linux')('is made by the first server that had none', async () => {
  const workspace = realpathSync(mkdtempSync(join(tmpdir(), 'helper-workspace-')));
  writeFileSync(join(workspace, 'file'), 'hello');
  const args = [join(folder, 'dist', 'codex.js'), '--listen', 'stdio', '--no-config', '--quiet'];
  const server = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  onTestFinished(() => {
    server.kill('SIGKILL');
    rmSync(workspace, { recursive: true });
  });
  const lines = createInterface({ input: server.stdout })[Symbol.asyncIterator]();
  const say = (message: object) => server.stdin.write(`${JSON.stringify(message)}\n`);
  const call = async (method: string, params: object): Promise<unknown> => {
    say({ id: 1, method, params });
    return JSON.parse(String((await lines.next()).value));
  };
  await call('initialize', { clientName: 'test' });
  say({ method: 'initialized' });
  const entries = [{ path: { type: 'path', path: `file://${workspace}` }, access: 'read' }];
  const sandbox = {
    permissions: { type: 'managed', file_system: { type: 'restricted', entries }, network: 'restricted' },
    cwd: `file://${workspace}`,
    workspaceRoots: [`file://${workspace}`],
    windowsSandboxLevel: 'disabled',
    windowsSandboxPrivateDesktop: false,
    useLegacyLandlock: false,
  };
  const read = () => call('fs/readFile', { path: `file://${workspace}/file`, sandbox });
  expect(await read()).toHaveProperty('result.dataBase64', 'aGVsbG8=');
  // A file in that folder is not enough: it has another name until it is whole.
  await expect.poll(compilesAnew).toBe(false);
  expect(await call('fs/readFile', { path: `file://${helper}`, sandbox })).toHaveProperty('error');
});

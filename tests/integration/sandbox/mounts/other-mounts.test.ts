// A second mount of the same file system shows what is denied, or may not be changed, under another path: that goes with the file.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type SandboxedResult, workspaceWrite } from '@codex/sandbox';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { programForAnyone } from '../../program-for-anyone.js';

const runner = fileURLToPath(new URL('../support/sandbox-runner.ts', import.meta.url));
let base: string;
let child: ChildProcess;

beforeEach(() => {
  base = realpathSync(mkdtempSync('/var/tmp/mounts-'));
  for (const name of ['first/secret', 'first/open', 'second', 'third', 'ws'])
    mkdirSync(join(base, name), { recursive: true });
  for (const name of ['secret/key', 'token', 'open/text'])
    writeFileSync(join(base, 'first', name), `${name}!`);
  const script = `mount --bind ${base}/first ${base}/second && mount --bind ${base}/first/secret ${base}/third && exec "$@"`;
  const namespace = process.getuid?.() === 0 ? '-m' : '-rm';
  child = spawn(
    'unshare',
    [
      namespace,
      '--propagation',
      'private',
      'sh',
      '-ec',
      script,
      'sh',
      process.execPath,
      programForAnyone(runner),
    ],
    { cwd: '/', env: { PATH: '/usr/local/bin:/usr/bin:/bin' }, stdio: ['pipe', 'pipe', 'inherit'] },
  );
});

afterEach(() => {
  child.kill('SIGKILL');
  rmSync(base, { recursive: true, force: true });
});

async function run(script: string, roots: readonly string[], more: object = {}): Promise<SandboxedResult> {
  const policy = workspaceWrite({ roots, temporaryDirectories: false, deny: [join(base, 'first/secret')] });
  const request = {
    argv: ['/bin/sh', '-c', script],
    cwd: join(base, 'ws'),
    policy,
    alwaysDeny: [join(base, 'first/token')],
    env: { PATH: '/usr/bin:/bin' },
    ...more,
  };
  child.stdin?.write(`${JSON.stringify({ id: 1, request })}\n`);
  for await (const line of createInterface({ input: child.stdout ?? process.stdin })) {
    const { result, error } = JSON.parse(line);
    if (error !== undefined) throw new Error(error.message);
    return result;
  }
  throw new Error('the runner ended');
}

const look =
  'for d in first second; do cat $d/secret/key $d/token $d/open/text; ls $d/secret; done; cat third/key';

it('denies a folder and a secret file under every name that can be read', async () => {
  const result = await run(`cd ${base}; ${look}`, []);
  expect(result.stdout).toBe('open/text!open/text!');
});

it('denies them under a name that can be written, and under what that is renamed to', async () => {
  const result = await run(
    `cd ${base}; ${look}; cd second; mv secret moved; mv token moved2; cat moved/key moved2; ln token linked; cat linked`,
    [join(base, 'second')],
  );
  expect(result.stdout).toBe('open/text!open/text!');
  expect(
    execFileSync('cat', [join(base, 'first/secret/key'), join(base, 'first/token')], { encoding: 'utf8' }),
  ).toBe('secret/key!token!');
});

it('keeps the folders of the caller as they are under every name that may be written', async () => {
  const own = join(base, 'first/open');
  const script = `cd ${base}; for d in first second; do echo evil > $d/open/text; touch $d/open/new; mv $d/open $d/away; echo fine > $d/beside; done; cat second/open/text`;
  const result = await run(script, [join(base, 'first'), join(base, 'second')], { ownFolders: [own] });
  expect(result.stdout).toBe('open/text!');
  expect(readdirSync(own)).toEqual(['text']);
  expect(readFileSync(join(base, 'first/beside'), 'utf8')).toBe('fine\n');
});

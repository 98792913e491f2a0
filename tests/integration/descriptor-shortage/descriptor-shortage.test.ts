// A server that may open no more files answers with an error that says so, goes on, and recovers. Node then starts no
// child, gives its `ChildProcess` no streams at all, and tells by a later `error` event.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

const MOST_DESCRIPTORS = 128;

/** Runs one of the programs under the limit; it prints one JSON value and must end by itself, without a complaint. */
async function runShort(program: string, ...args: string[]): Promise<unknown> {
  const file = fileURLToPath(new URL(`./programs/${program}`, import.meta.url));
  const node = [process.execPath, '--conditions=@codex/source', '--import', 'tsx', file, ...args];
  const child = spawn('sh', ['-c', `ulimit -n ${MOST_DESCRIPTORS}; exec "$@"`, 'sh', ...node], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (block) => {
    stdout += String(block);
  });
  child.stderr.on('data', (block) => {
    stderr += String(block);
  });
  const code = await new Promise((resolve) => child.once('close', resolve));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout);
}

describe.runIf(process.platform === 'linux')('without a descriptor left', () => {
  it('launches fail with EMFILE, unless supervisors wait that can make room', async () => {
    expect(await runShort('launch.ts')).toEqual({
      'others wait': 'exit 0',
      'others wait, a command with input': 'exit 0',
      'native pipe': 'supervisor EMFILE',
      'native pty': 'supervisor EMFILE',
      'portable pipe': 'exec EMFILE',
      'spare pipe': 'supervisor EMFILE',
      'native pty, terminal opened': 'supervisor EMFILE',
      'portable pipe, one left': 'exec EMFILE',
      'native later': 'exit 0',
      'spare later': 'exit 0',
      'portable later': 'exit 0',
    });
  });

  it('watches are refused, those that are there stay, and later ones work', async () => {
    const refused = '-32603 the file watcher cannot be started: No file descriptors available (os error 24)';
    expect(await runShort('watch.ts')).toEqual({
      before: 'watching',
      watch: refused,
      watchMissing: { watching: false },
      'watch, one left': refused,
      'watchMissing, one left': { watching: false },
      after: 'watching',
      'watchMissing after': { watching: true },
    });
  });

  it('no sandbox is made without what it has to know of the host', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'looks-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const pointer = join(directory, '.git');
    writeFileSync(pointer, 'gitdir: elsewhere');
    expect(await runShort('looks.ts', pointer)).toEqual({
      during: ['SANDBOX_PREPARE_FAILED EMFILE', 'SANDBOX_PREPARE_FAILED EMFILE'],
      after: ['found out', 'found out'],
    });
  });

  it('the sandbox goes without its janitor, and starts it when it can', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'janitor-'));
    onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
    const [during, after] = ['during', 'after'].map((name) => join(directory, name)) as [string, string];
    for (const path of [during, after]) writeFileSync(path, '');
    expect(await runShort('janitor.ts', during, after)).toBe('alive');
    await vi.waitUntil(() => !existsSync(during) && !existsSync(after), { timeout: 10_000 });
  });
});

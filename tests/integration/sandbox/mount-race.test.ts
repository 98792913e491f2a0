// Another process swaps a writable directory for a link between the plan and the mount.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createLauncher } from '@codex/launcher';
import { type PreparedSandbox, prepareSandbox, spawnPrepared, workspaceWrite } from '@codex/sandbox';
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';

const launcher = createLauncher();
afterAll(() => launcher.close());
let base: string;
beforeEach(() => {
  base = mkdtempSync('/var/tmp/sandbox-test-');
  for (const name of ['ws', 'ws/sub', 'ws/sub/private', 'outside']) mkdirSync(`${base}/${name}`);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const swappedStarts = process.env['SOAK'] === '1' ? 400 : 25;
/** The directory is in place for a few milliseconds, and then the link for about one. */
const swapForever = `
  const fs = require('node:fs');
  const ws = process.argv[1];
  const wait = (ms) => { for (const end = performance.now() + ms; performance.now() < end;); };
  // While the name is missing, a sandbox may put its mount point there or put the link back: the next round goes on.
  const move = (from, to) => { try { fs.renameSync(ws + from, ws + to); } catch {} };
  console.log('ready');
  for (;;) {
    move('/.git', '/old');
    move('/link', '/.git');
    wait(Math.random() * 2);
    move('/.git', '/link');
    move('/old', '/.git');
    wait(Math.random() * 6);
  }
`;

type Start = (prepared: PreparedSandbox) => Promise<unknown>;
const starters: [string, Start, string][] = [
  [
    'Node',
    (prepared) => once(spawnPrepared(prepared, { stdio: ['ignore', 'ignore', 'ignore'] }), 'close'),
    'SANDBOX_PREPARE_FAILED',
  ],
  [
    'the launcher',
    async ({ argv, cwd, env, inheritFds }) => {
      const io = { type: 'pipe', stdin: 'closed' } as const;
      await (await launcher.launch({ argv, cwd, env, inheritFds, io })).treeGone;
    },
    'LAUNCH_FAILED',
  ],
];

async function startAfterSwap(
  start: Start,
  { deny = [], roots = [`${base}/ws`], swap }: { deny?: string[]; roots?: string[]; swap: () => void },
): Promise<unknown> {
  const prepared = await prepareSandbox({
    argv: [
      '/bin/sh',
      '-c',
      `cat ${base}/ws/.git/secret > ${base}/ws/leak; echo x > ${base}/outside/direct; echo x > ${base}/ws/through; echo x > ${base}/ws/sub/through`,
    ],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    policy: workspaceWrite({ roots, temporaryDirectories: false, deny }),
    context: { workspaceRoots: [] },
  });
  swap();
  try {
    return await start(prepared);
  } finally {
    await prepared.finish().cleanup;
  }
}

describe.each(starters)('a swap before the mount, started by %s', (_name, start, code) => {
  it('of nothing lets the command run', async () => {
    await startAfterSwap(start, { swap: () => undefined });
    expect(readdirSync(`${base}/ws`)).toContain('through');
    expect(readdirSync(`${base}/outside`)).toEqual([]);
  });

  it('of the root itself refuses the start', async () => {
    const swap = (): void => {
      renameSync(`${base}/ws`, `${base}/old`);
      symlinkSync('outside', `${base}/ws`);
    };
    await expect(startAfterSwap(start, { swap })).rejects.toMatchObject({ code });
    expect(readdirSync(`${base}/outside`)).toEqual([]);
  });

  it('of the root for another directory, without any link, refuses the start', async () => {
    const swap = (): void => {
      renameSync(`${base}/ws`, `${base}/old`);
      renameSync(`${base}/outside`, `${base}/ws`);
    };
    await expect(startAfterSwap(start, { swap })).rejects.toMatchObject({ code });
    expect(readdirSync(`${base}/ws`)).toEqual([]);
  });

  it('for one that is spelled the same in another mount namespace refuses the start', async () => {
    const script = `mount -t tmpfs none ${base}/ws && mkdir -p ${base}/ws/sub/private && echo ready; exec sleep 60`;
    const other = spawn('unshare', ['-rm', 'sh', '-c', script], { stdio: ['ignore', 'pipe', 'inherit'] });
    onTestFinished(() => void other.kill('SIGKILL'));
    await once(other.stdout, 'data');
    const swap = (): void => {
      renameSync(`${base}/ws/sub`, `${base}/ws/old`);
      symlinkSync(`/proc/${other.pid}/root${base}/ws/sub`, `${base}/ws/sub`);
    };
    const attempt = startAfterSwap(start, { roots: [`${base}/ws/sub/private`], swap });
    await expect(attempt).rejects.toMatchObject({ code });
  });

  it('of a directory above a denied one refuses the start', async () => {
    const swap = (): void => {
      renameSync(`${base}/ws/sub`, `${base}/ws/old`);
      symlinkSync('../outside', `${base}/ws/sub`);
    };
    const attempt = startAfterSwap(start, { deny: [`${base}/ws/sub/private`], swap });
    await expect(attempt).rejects.toMatchObject({ code });
    expect(readdirSync(`${base}/outside`)).toEqual([]);
    expect(existsSync(`${base}/ws/.git`)).toBe(false);
  });

  it('of a protected directory refuses the start and shows nothing that is denied', async () => {
    mkdirSync(`${base}/ws/.git`);
    for (const name of ['ws/.git/HEAD', 'outside/secret']) writeFileSync(`${base}/${name}`, 'denied');
    const swap = (): void => {
      renameSync(`${base}/ws/.git`, `${base}/ws/old`);
      symlinkSync('../outside', `${base}/ws/.git`);
    };
    const attempt = startAfterSwap(start, { deny: [`${base}/outside`], swap });
    await expect(attempt).rejects.toMatchObject({ code });
    expect(existsSync(`${base}/ws/leak`)).toBe(false);
  });

  it('of a protected directory, again and again at any moment, shows nothing that is denied', async () => {
    mkdirSync(`${base}/ws/.git`);
    for (const name of ['ws/.git/HEAD', 'outside/secret']) writeFileSync(`${base}/${name}`, 'denied');
    symlinkSync('../outside', `${base}/ws/link`);
    const swapper = spawn(process.execPath, ['-e', swapForever, `${base}/ws`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(swapper, 'close');
    onTestFinished(async () => {
      swapper.kill('SIGKILL');
      await ended;
    });
    await once(swapper.stdout, 'data');
    let started = 0;
    for (let count = 0; count < swappedStarts; count += 1) {
      const attempt = startAfterSwap(start, { deny: [`${base}/outside`], swap: () => undefined });
      await attempt.catch(() => undefined);
      if (!existsSync(`${base}/ws/leak`)) continue;
      started += 1;
      expect(readFileSync(`${base}/ws/leak`, 'utf8')).toBe('');
      rmSync(`${base}/ws/leak`);
    }
    expect(started).toBeGreaterThan(0);
  });
});

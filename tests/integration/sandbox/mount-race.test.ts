// Somebody swaps a writable directory for a link between the plan and the mount.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
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
      `echo x > ${base}/outside/direct; echo x > ${base}/ws/through; echo x > ${base}/ws/sub/through`,
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
});

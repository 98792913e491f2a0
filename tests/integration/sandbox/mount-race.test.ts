// Somebody swaps a writable directory for a link between the plan and the mount.
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { prepareSandbox, spawnPrepared, workspaceWrite } from '@codex/sandbox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let base: string;
beforeEach(() => {
  base = mkdtempSync('/var/tmp/sandbox-test-');
  for (const name of ['ws', 'ws/sub', 'ws/sub/private', 'outside']) mkdirSync(`${base}/${name}`);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

async function runAfterSwap(deny: string[], swap: () => void): Promise<void> {
  const prepared = await prepareSandbox({
    argv: [
      '/bin/sh',
      '-c',
      `echo x > ${base}/outside/direct; echo x > ${base}/ws/through; echo x > ${base}/ws/sub/through`,
    ],
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
    policy: workspaceWrite({ roots: [`${base}/ws`], temporaryDirectories: false, deny }),
    context: { workspaceRoots: [] },
  });
  swap();
  const child = spawnPrepared(prepared, { stdio: ['ignore', 'ignore', 'ignore'] });
  await once(child, 'close');
  await prepared.finish().cleanup;
}

describe('a swap before the mount', () => {
  it('of the root itself opens nothing else', async () => {
    await runAfterSwap([], () => {
      renameSync(`${base}/ws`, `${base}/old`);
      symlinkSync('outside', `${base}/ws`);
    });
    expect(readdirSync(`${base}/outside`)).toEqual([]);
  });

  it('of a directory above a denied one opens nothing else', async () => {
    await runAfterSwap([`${base}/ws/sub/private`], () => {
      renameSync(`${base}/ws/sub`, `${base}/ws/old`);
      symlinkSync('../outside', `${base}/ws/sub`);
    });
    expect(readdirSync(`${base}/outside`)).toEqual([]);
    expect(existsSync(`${base}/ws/.git`)).toBe(false);
  });
});

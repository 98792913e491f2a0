// The same as in lost-covers.test.ts for sandboxes that Node starts by itself: `runSandboxed`, `runInForeground` (`exec-server sandbox`) and
// `spawnPrepared`.
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { prepareSandbox, type SandboxedResult, spawnPrepared, workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { SandboxUser, users } from '../support/sandbox-user.js';

const env = { PATH: '/usr/bin:/bin', LC_ALL: 'C', HOME: '/nonexistent' };
const setUp = 'mkdir .git .git/hooks; echo old > .git/config; echo new > new';
const endless = 'echo begun; touch ready; while :; do sleep 0.05; done';

describe.each(users)('a sandbox that Node has started, as %s', (_, uid) => {
  let user: SandboxUser;
  beforeAll(() => {
    user = new SandboxUser(uid);
  });
  afterAll(() => user.close());

  const run = (ws: string, script: string): Promise<SandboxedResult> =>
    user.run({
      argv: ['/bin/sh', '-c', script],
      cwd: ws,
      env,
      policy: workspaceWrite({ allowCommitsIn: [ws] }),
    });

  it.each([
    ['replaced', 'mv new .git/config'],
    ['removed', 'rm .git/config'],
    ['moved away', 'mv .git/config old; mv new .git/config'],
  ])('is ended when what it covers is %s', async (_what, outside) => {
    const ws = user.directory();
    await user.host(ws, setUp);
    const running = run(ws, endless);
    await expect.poll(() => existsSync(`${ws}/ready`), { timeout: 20_000 }).toBe(true);
    await user.host(ws, outside);
    const end = await running;
    expect(end).toMatchObject({ exitCode: 137, lostMount: `${ws}/.git/config`, stdout: 'begun\n' });
    expect(end.denial).toBeUndefined();
    await expect.poll(keepers).toBe(0);
  });

  it('is left alone otherwise, and nothing of the keeper stays', async () => {
    const ws = user.directory();
    await user.host(ws, setUp);
    const running = run(ws, 'touch ready; sleep 1.5; exit 3');
    await expect.poll(() => existsSync(`${ws}/ready`), { timeout: 20_000 }).toBe(true);
    await user.host(ws, 'echo more >> .git/config; mv new other');
    const end = await running;
    expect(end.exitCode).toBe(3);
    expect(end.lostMount).toBeUndefined();
    await expect.poll(keepers).toBe(0);
    for (let round = 0; round < 10; round += 1)
      expect(await run(ws, 'exit 4')).toMatchObject({ exitCode: 4 });
    await expect.poll(keepers).toBe(0);
  });
});

it('spawnPrepared tells its caller', async () => {
  const ws = mkdtempSync('/var/tmp/sandbox-test-');
  onTestFinished(() => rmSync(ws, { recursive: true }));
  const host = new SandboxUser(process.getuid?.() ?? 0);
  onTestFinished(() => host.close());
  await host.host(ws, setUp);
  const policy = workspaceWrite({ allowCommitsIn: [ws] });
  const prepared = await prepareSandbox({ argv: ['/bin/sh', '-c', endless], cwd: ws, env, policy });
  const lost = new Promise<string>((resolve) => {
    spawnPrepared(prepared, { stdio: ['ignore', 'ignore', 'ignore'], onLostMount: resolve });
  });
  await expect.poll(() => existsSync(`${ws}/ready`)).toBe(true);
  await host.host(ws, 'mv new .git/config');
  expect(await lost).toBe(`${ws}/.git/config`);
  expect(await prepared.finish({ code: null }).cleanup).toEqual([]);
});

function keepers(): number {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isKeeper(pid)).length;
}

function isKeeper(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').includes('\0--keep\0');
  } catch {
    return false;
  }
}

it('spawnPrepared tells nothing of mount points that are removed because the command has ended', async () => {
  const ws = mkdtempSync('/var/tmp/sandbox-test-');
  onTestFinished(() => rmSync(ws, { recursive: true }));
  mkdirSync(`${ws}/.git`);
  const policy = workspaceWrite({ allowCommitsIn: [ws] });
  const told: string[] = [];
  for (let round = 0; round < 30; round += 1) {
    const prepared = await prepareSandbox({ argv: ['/bin/true'], cwd: ws, env, policy });
    const onLostMount = (path: string) => void told.push(path);
    const child = spawnPrepared(prepared, { stdio: ['ignore', 'ignore', 'ignore'], onLostMount });
    const [code] = await once(child, 'exit');
    await prepared.finish({ code }).cleanup;
  }
  await expect.poll(keepers).toBe(0);
  expect(told).toEqual([]);
});

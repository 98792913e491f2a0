// Mount points on the host: gone after a command, after the server was killed, and at the latest after the next run.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, readlinkSync, unlinkSync } from 'node:fs';
import { join } from 'node:path';
import { workspaceWrite } from '@codex/sandbox';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { SandboxUser, users } from './support/sandbox-user.js';

const policy = workspaceWrite({ temporaryDirectories: false });

describe.each(users)('host litter, as %s', (_name, uid) => {
  const open: SandboxUser[] = [];
  const newUser = (): Promise<SandboxUser> => {
    const user = new SandboxUser(uid);
    open.push(user);
    return user.ready();
  };
  afterAll(async () => {
    for (const user of open) await user.close();
  });
  const names = (path: string): string[] => readdirSync(path).sort();

  it('many commands at once share their mount points, and the last one removes them', async () => {
    const [first, second] = [await newUser(), await newUser()];
    const ws = first.directory();
    const long = first.shell(
      ws,
      policy,
      'while [ ! -e stop ]; do sleep 0.05; done; mkdir .git || echo refused',
    );
    await expect.poll(() => names(ws)).toContain('.git');
    const others = await Promise.all(
      [first, second, first, second].map((user) => user.shell(ws, policy, 'mkdir .git || echo refused')),
    );
    expect(others.map((result) => result.stdout)).toEqual(Array(4).fill('refused\n'));
    expect(names(ws)).toContain('.git');
    await first.host(ws, 'touch stop');
    expect((await long).stdout).toBe('refused\n');
    expect(names(ws)).toEqual(['stop']);
  });

  it('keeps an empty directory that was there before', async () => {
    const user = await newUser();
    const ws = user.directory();
    await user.host(ws, 'mkdir .git .codex');
    await user.shell(ws, policy, 'rmdir .git .codex; true');
    expect(names(ws)).toEqual(['.codex', '.git']);
  });

  it('leaves nothing after the process that started the command was killed', async () => {
    const user = await newUser();
    const ws = user.directory();
    user.shell(ws, policy, 'echo $$ > started; sleep 60').catch(() => undefined);
    await expect.poll(() => names(ws)).toContain('started');
    expect(names(ws)).toContain('.git');
    await user.kill();
    await expect.poll(() => names(ws)).toEqual(['started']);
    expect(execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })).not.toContain(`${ws}`);
  });

  it('leaves nothing when the process was killed between making a mount point and marking it', async () => {
    const user = await newUser();
    const ws = user.directory();
    user.shell(ws, policy, 'touch started; sleep 60').catch(() => undefined);
    await expect.poll(() => names(ws)).toContain('started');
    for (const name of ['.git', '.codex'])
      for (const mark of names(join(ws, name))) unlinkSync(join(ws, name, mark));
    await user.kill();
    await expect.poll(() => names(ws)).toEqual(['started']);
  });

  it('keeps the empty directories of others after the process was killed', async () => {
    const user = await newUser();
    const ws = user.directory();
    await user.host(ws, 'mkdir .git .codex; chmod 1777 .codex');
    user.shell(ws, policy, 'touch started; sleep 60').catch(() => undefined);
    await expect.poll(() => names(ws)).toContain('started');
    await user.kill();
    await expect.poll(() => names(join(ws, '.git'))).toEqual([]);
    await expect.poll(() => names(join(ws, '.codex'))).toEqual([]);
    expect(names(ws)).toEqual(['.codex', '.git', 'started']);
  });

  it('the next run cleans up when the janitor was killed as well', async () => {
    const user = await newUser();
    const ws = user.directory();
    user.shell(ws, policy, 'touch started; sleep 60').catch(() => undefined);
    await expect.poll(() => names(ws)).toContain('started');
    for (const pid of janitorsOf(user.pid)) process.kill(pid, 'SIGKILL');
    await user.kill();
    expect(names(ws)).toContain('.git');
    const next = await newUser();
    expect((await next.shell(ws, policy, 'ls -A .git; mkdir .codex || echo refused')).stdout).toBe(
      'refused\n',
    );
    expect(names(ws)).toEqual(['started']);
  });

  it('another program that removes its empty directories meanwhile does no harm', async () => {
    const user = await newUser();
    const ws = user.directory();
    const finished = new AbortController();
    onTestFinished(() => finished.abort());
    const churn = (async () => {
      while (!finished.signal.aborted)
        await user.host(ws, 'mkdir .git .codex 2>/dev/null; rmdir .git .codex 2>/dev/null; true');
    })();
    for (let round = 0; round < 15; round += 1) {
      const result = await user.shell(
        ws,
        policy,
        'echo x > .git/x || echo x > .git || mkdir .codex || echo refused',
      );
      expect(result.stdout).toBe('refused\n');
    }
    finished.abort();
    await churn;
  });

  it('leaves nothing when preparing fails half way', async () => {
    const user = await newUser();
    const ws = user.directory();
    const entries = [...(policy.fileSystem.type === 'restricted' ? policy.fileSystem.entries : [])];
    const env = Object.fromEntries(Array.from({ length: 4000 }, (_, index) => [`V${index}`, 'x']));
    const attempt = user.run({
      argv: ['true'],
      cwd: ws,
      env,
      policy: { ...policy, fileSystem: { type: 'restricted', entries } },
    });
    await expect(attempt).rejects.toMatchObject({ code: 'SANDBOX_POLICY_UNENFORCEABLE' });
    expect(names(ws)).toEqual([]);
    mkdirSync(`${ws}/sub`);
    expect(existsSync(`${ws}/.git`)).toBe(false);
  });
});

/** The shells that wait for the end of this process: they hold its pipe and have nothing else to do. */
function janitorsOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8')
    .trim()
    .split(' ')
    .map(Number)
    .filter(
      (child) =>
        readlinkSync(`/proc/${child}/exe`).includes('sh') &&
        readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('rmdir'),
    );
}

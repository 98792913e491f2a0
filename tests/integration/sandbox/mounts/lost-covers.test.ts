// What covers a name is gone for a running command once a program outside removes what it covers, or renames another file to its name.
// The command is ended then, at once. Real bubblewrap, under the launcher.
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type PolicyEntry, type SandboxPolicy, type SandboxRequest, workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { LaunchedEnd } from '../support/launched-runner.js';
import { SandboxUser, users } from '../support/sandbox-user.js';

const runner = fileURLToPath(new URL('../support/launched-runner.ts', import.meta.url));

describe.each(users)('a cover that is taken away, as %s', (_, uid) => {
  let user: SandboxUser;
  beforeAll(() => {
    user = new SandboxUser(uid, runner);
  });
  afterAll(() => user.close());

  /** Runs `script` in the sandbox, and when it says so (a file `ready`) the other one outside. */
  async function beside(ws: string, { script, outside, policy, ...options }: Scene): Promise<LaunchedEnd> {
    const argv = ['/bin/sh', '-c', `echo begun; touch ready; ${script}`];
    const running = user.ask<LaunchedEnd>({ ...options, argv, cwd: ws, policy });
    await expect.poll(() => existsSync(`${ws}/ready`), { timeout: 20_000 }).toBe(true);
    const { code, output } = await user.host(ws, outside);
    expect({ code, output }).toMatchObject({ code: 0 });
    return running;
  }

  async function workspace(): Promise<string> {
    const ws = user.directory();
    const made = await user.host(
      ws,
      'mkdir .git .git/hooks plain "with blank"; echo old > .git/config; for f in secret kept "with blank/secret"; do echo old > "$f"; done',
    );
    expect(made).toMatchObject({ code: 0 });
    return ws;
  }

  const endless = 'while :; do sleep 0.05; done';
  const isEnded = (lostMount: string) => ({ code: null, signal: 'SIGKILL', lostMount });

  it('ends a command when the configuration of git is replaced', async () => {
    const ws = await workspace();
    const policy = workspaceWrite({ allowCommitsIn: [ws] });
    const outside = 'echo new > .git/config.new; mv .git/config.new .git/config';
    const end = await beside(ws, { script: endless, outside, policy });
    expect(end).toMatchObject(isEnded(`${ws}/.git/config`));
    expect(readFileSync(`${ws}/.git/config`, 'utf8')).toBe('new\n');
  });

  it.each([
    ['replaced', 'echo new > n; mv n secret', 'secret'],
    ['removed', 'rm secret', 'secret'],
    ['moved away', 'mv secret gone; echo new > secret', 'secret'],
    ['replaced, of an odd name', 'echo new > n; mv n "with blank/secret"', 'with blank/secret'],
    ['lost with its directory', 'rm -r "with blank"', 'with blank'],
  ])('ends it when a denied file is %s', async (_what, outside, lost) => {
    const ws = await workspace();
    const policy = denying(`${ws}/secret`, `${ws}/with blank/secret`);
    const end = await beside(ws, { script: endless, outside, policy });
    expect(end).toMatchObject({ signal: 'SIGKILL', lostMount: expect.stringContaining(`${ws}/${lost}`) });
    expect(end.stdout).not.toContain('new');
  });

  it('ends it when a placeholder of a missing name is removed', async () => {
    const ws = await workspace();
    const outside = 'rm -r .agents; mkdir .agents; echo new > .agents/evil';
    const end = await beside(ws, { script: endless, outside, policy: workspaceWrite() });
    expect(end).toMatchObject(isEnded(`${ws}/.agents`));
    expect(readFileSync(`${ws}/.agents/evil`, 'utf8')).toBe('new\n');
  });

  it('ends it when a protected directory is moved and made anew, within seconds', async () => {
    const ws = await workspace();
    const end = await beside(ws, {
      script: endless,
      outside: 'mv .git old; mkdir .git',
      policy: workspaceWrite(),
    });
    expect(end).toMatchObject(isEnded(`${ws}/.git`));
  });

  it('ends everything that the command has started, on a terminal as well', async () => {
    const ws = await workspace();
    const policy = denying(`${ws}/secret`);
    const begun = 'until [ -s beat ]; do sleep 0.01; done';
    const script = `setsid sh -c 'while :; do date +%s%N > beat; sleep 0.02; done' & ${endless}`;
    const end = await beside(ws, { script, outside: `${begun}; mv kept secret`, policy, terminal: true });
    expect(end).toMatchObject(isEnded(`${ws}/secret`));
    const last = readFileSync(`${ws}/beat`, 'utf8');
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(readFileSync(`${ws}/beat`, 'utf8')).toBe(last);
  });

  it('ends it while output flows', async () => {
    const ws = await workspace();
    const end = await beside(ws, {
      script: 'yes',
      outside: 'mv kept secret',
      policy: denying(`${ws}/secret`),
    });
    expect(end).toMatchObject(isEnded(`${ws}/secret`));
  });

  it('ends one that was started while its sandbox was planned', async () => {
    const ws = await workspace();
    const policy = denying(`${ws}/secret`);
    const first = user.ask<LaunchedEnd>({ argv: ['true'], cwd: ws, policy, startsAhead: true });
    expect(await first).toMatchObject({ code: 0, startedAhead: false });
    const outside = 'echo new > n; mv n secret';
    const end = await beside(ws, { script: endless, outside, policy, startsAhead: true });
    expect(end).toMatchObject({ ...isEnded(`${ws}/secret`), startedAhead: true });
  });

  it('says so of a command that has just ended by itself', async () => {
    const ws = await workspace();
    const policy = denying(`${ws}/secret`);
    const outside = 'echo new > n; mv n secret';
    const script = 'while [ ! -e n2 ] && ! cat secret 2>/dev/null; do :; done; exit 7';
    const end = await beside(ws, { script, outside, policy });
    expect(end).toMatchObject({ lostMount: `${ws}/secret` });
  });

  it('ends many at once, and none that is not concerned', async () => {
    const [ws, other] = [await workspace(), await workspace()];
    const policy = denying(`${ws}/secret`, `${other}/secret`);
    const argv = (name: string) => ['/bin/sh', '-c', `touch ${name}; sleep 4`];
    const run = (cwd: string, name: string, policyOfOne: SandboxPolicy) =>
      user.ask<LaunchedEnd>({ argv: argv(name), cwd, policy: policyOfOne });
    const concerned = Array.from({ length: 12 }, (_each, index) => run(ws, `ready${index}`, policy));
    const spared = run(other, 'ready', denying(`${other}/secret`));
    const names = Array.from({ length: 12 }, (_each, index) => `${ws}/ready${index}`);
    await expect
      .poll(() => [...names, `${other}/ready`].every((name) => existsSync(name)), { timeout: 20_000 })
      .toBe(true);
    await user.host(ws, 'mv kept secret');
    for (const end of await Promise.all(concerned)) expect(end).toMatchObject(isEnded(`${ws}/secret`));
    expect(await spared).toMatchObject({ code: 0 });
    expect((await spared).lostMount).toBeUndefined();
  });

  it('ends nothing when something is written, made, removed or renamed beside it', async () => {
    const ws = await workspace();
    const policy = workspaceWrite({ allowCommitsIn: [ws] });
    const outside =
      'echo more >> .git/config; echo x > .git/HEAD.lock; mv .git/HEAD.lock .git/HEAD; touch .git/hooks/a; mv .git/hooks/a .git/hooks/b; ' +
      'rm secret; mv kept plain/; chmod 600 .git/config';
    const end = await beside(ws, { script: 'sleep 2.5; exit 3', outside, policy });
    expect(end).toMatchObject({ code: 3, signal: null });
    expect(end.lostMount).toBeUndefined();
  });
});

describe.runIf(process.getuid?.() === 0)('mounts of the host', () => {
  it('come and go without ending a command', async () => {
    const user = new SandboxUser(0, runner);
    try {
      const ws = user.directory();
      await user.host(ws, 'mkdir .git; echo old > secret');
      const argv = ['/bin/sh', '-c', 'touch ready; sleep 2.5; exit 3'];
      const running = user.ask<LaunchedEnd>({ argv, cwd: ws, policy: denying(`${ws}/secret`) });
      await expect.poll(() => existsSync(`${ws}/ready`)).toBe(true);
      const script =
        'd=$(mktemp -d /var/tmp/mount-test-XXXXXX); mount -t tmpfs none "$d" || exit 0; umount "$d"; rmdir "$d"';
      expect(await user.host('/', script)).toMatchObject({ code: 0 });
      const end = await running;
      expect(end).toMatchObject({ code: 3 });
      expect(end.lostMount).toBeUndefined();
    } finally {
      await user.close();
    }
  });
});

interface Scene extends Pick<SandboxRequest, 'terminal' | 'startsAhead'> {
  readonly script: string;
  readonly outside: string;
  readonly policy: SandboxPolicy;
}

function denying(...paths: string[]): SandboxPolicy {
  const policy = workspaceWrite();
  if (policy.fileSystem.type !== 'restricted') throw new Error('workspaceWrite restricts files');
  const denied = paths.map((path): PolicyEntry => ({ path: { type: 'path', path }, access: 'deny' }));
  return {
    ...policy,
    fileSystem: { ...policy.fileSystem, entries: [...policy.fileSystem.entries, ...denied] },
  };
}

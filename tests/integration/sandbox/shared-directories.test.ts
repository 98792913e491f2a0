// Directories in which every user may make names, such as /tmp: what one user does there neither stops nor steers the
// sandboxes of another. A directory of the same kind stands for /tmp, which other programs use too.
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { workspaceWrite } from '@codex/sandbox';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SandboxUser } from './support/sandbox-user.js';

const isRoot = process.getuid?.() === 0;
const [first, second] = [65533, 65534];
const names = ['.git', '.codex', '.agents', '.aws'];

describe.runIf(isRoot).each([
  ['an ordinary user', second, 0o1777],
  ['root, who owns it', 0, 0o1777],
  ['an ordinary user, without the sticky bit', second, 0o777],
])('a shared directory, as %s', (_name, uid, mode) => {
  let other: SandboxUser;
  let user: SandboxUser;
  let shared: string;
  let ws: string;
  beforeAll(() => {
    other = new SandboxUser(first);
    user = new SandboxUser(uid);
  });
  afterAll(() => Promise.all([other.close(), user.close()]));
  beforeEach(() => {
    shared = mkdtempSync('/var/tmp/sandbox-test-');
    chmodSync(shared, mode);
    ws = user.directory();
  });
  afterEach(() => rmSync(shared, { recursive: true, force: true }));
  const policy = () => workspaceWrite({ roots: [shared], temporaryDirectories: false });
  const runs = async (): Promise<void> => {
    const result = await user.shell(
      ws,
      policy(),
      `echo x > file; echo y > ${shared}/file; cat file ${shared}/file; rm ${shared}/file`,
    );
    expect(result).toMatchObject({ exitCode: 0, stdout: 'x\ny\n' });
  };

  it('works while the command of another user runs, and afterwards', async () => {
    const theirs = other.directory();
    const stop = `${theirs}/stop`;
    const long = other.shell(theirs, policy(), `touch started; while [ ! -e ${stop} ]; do sleep 0.05; done`);
    await expect.poll(() => existsSync(`${theirs}/started`)).toBe(true);
    await runs();
    await other.host(theirs, 'touch stop');
    await long;
    await runs();
    expect(readdirSync(shared)).toEqual([]);
  });

  it.each([
    ['an empty directory that looks like a mount point', () => 'mkdir -m 1755 .git .codex'],
    ['a link to the workspace', (at: string) => `ln -s ${at} .codex; ln -s ${at} .git`],
    ['a link to itself', () => 'ln -s .codex .codex; ln -s .git .git'],
    ['a large file', () => 'truncate -s 1900M .git'],
    ['a file that names the workspace', (at: string) => `echo "gitdir: ${at}" > .git`],
    ['a pipe', () => 'mkfifo .git'],
    ['a directory that nobody can look into', () => 'mkdir -m 000 .git'],
  ])('works with %s of another user in it', async (_what, plant) => {
    expect((await other.host(shared, plant(ws))).code).toBe(0);
    const before = readdirSync(shared);
    const start = performance.now();
    await runs();
    expect(performance.now() - start).toBeLessThan(5000);
    expect(readdirSync(shared)).toEqual(before);
  });

  it('still protects the names that nobody has taken', async () => {
    const script = names.map((name) => `mkdir ${shared}/${name} || echo refused`).join('; ');
    expect((await user.shell(ws, policy(), script)).stdout).toBe('refused\n'.repeat(4));
    expect(readdirSync(shared)).toEqual([]);
  });

  it('moves aside what the command makes when the other user gives way, who does not end it by that', async () => {
    await other.host(shared, 'mkdir .git');
    const script = `touch started; while [ -e ${shared}/.git/.. ] && [ ! -e go ]; do sleep 0.05; done; mkdir ${shared}/.git && echo evil > ${shared}/.git/config`;
    const running = user.shell(ws, policy(), script);
    await expect.poll(() => existsSync(`${ws}/started`)).toBe(true);
    await other.host(shared, 'rmdir .git');
    await user.host(ws, 'touch go');
    const { violations } = await running;
    expect(violations).toEqual([expect.stringContaining('.git appeared while the command ran')]);
    expect(readdirSync(shared)).toEqual(['.git.planted-in-sandbox-1']);
  });
});

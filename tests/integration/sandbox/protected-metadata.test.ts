// Names that stay read-only inside a writable workspace, and the policy that opens git for commits.
import { existsSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { dirname as parentOf } from 'node:path';
import { workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxUser, users } from './support/sandbox-user.js';

const gitIdentity =
  'export GIT_AUTHOR_NAME=t GIT_AUTHOR_EMAIL=t@t GIT_COMMITTER_NAME=t GIT_COMMITTER_EMAIL=t@t;';

describe.each(users)('protected metadata, as %s', (_name, uid) => {
  let user: SandboxUser;
  beforeAll(() => {
    user = new SandboxUser(uid);
  });
  afterAll(() => user.close());
  const workspace = async (script = 'true'): Promise<string> => {
    const ws = user.directory();
    const made = await user.host(ws, `${gitIdentity} ${script}`);
    expect(made.code, made.output).toBe(0);
    return ws;
  };
  const listing = async (path: string): Promise<string> => (await user.host(path, 'ls -A')).output;

  it('cannot be created, whatever it is called', async () => {
    const ws = await workspace();
    const result = await user.shell(
      ws,
      workspaceWrite(),
      'for n in .git .codex .agents .aws; do mkdir $n || echo x > $n || ln -s /tmp $n; rm -rf $n; rmdir $n; mv $n other; echo x > $n/file; done; git init -q . ; ls -A',
    );
    expect(result.stdout).toBe('.agents\n.aws\n.codex\n.git\n');
    expect(await listing(ws)).toBe('');
  });

  it('cannot be changed when it is there', async () => {
    const ws = await workspace('git init -q . && mkdir .codex && echo keep > .codex/config');
    const before = readFileSync(`${ws}/.git/config`, 'utf8');
    await user.shell(
      ws,
      workspaceWrite(),
      'echo evil >> .git/config; echo evil > .git/hooks/pre-commit; rm -rf .git .codex; mv .git moved; git config core.fsmonitor evil; echo evil > .codex/config; chmod -R 777 .codex',
    );
    expect(readFileSync(`${ws}/.git/config`, 'utf8')).toBe(before);
    expect(readFileSync(`${ws}/.codex/config`, 'utf8')).toBe('keep\n');
    expect(existsSync(`${ws}/.git/hooks/pre-commit`)).toBe(false);
  });

  it('still lets git find the repository above an empty mask', async () => {
    const ws = await workspace(
      'git init -q . && mkdir sub && echo x > tracked && git add tracked && git commit -q -m one',
    );
    const result = await user.run({
      argv: ['git', 'log', '--format=%s'],
      cwd: `${ws}/sub`,
      policy: workspaceWrite(),
      env: { PATH: '/usr/bin:/bin', HOME: ws },
    });
    expect(result).toMatchObject({ exitCode: 0, stdout: 'one\n' });
  });

  it.each(['.git', '.codex', '.agents'])(
    'a symlinked %s works, its target is protected, and the link is put back',
    async (name) => {
      const ws = await workspace(`mkdir target && echo keep > target/config && ln -s target ${name}`);
      const plain = await user.shell(
        ws,
        workspaceWrite(),
        `cat ${name}/config; echo evil > ${name}/config; echo evil > target/config; mv target moved; rm -rf target; echo ran`,
      );
      expect(plain.stdout).toBe('keep\nran\n');
      expect(plain.violations).toEqual([]);
      const replaced = await user.shell(
        ws,
        workspaceWrite(),
        `rm ${name}; mkdir ${name}; echo evil > ${name}/config`,
      );
      expect(replaced.violations).toHaveLength(1);
      expect(readlinkSync(`${ws}/${name}`)).toBe('target');
      expect(readFileSync(`${ws}/${name}/config`, 'utf8')).toBe('keep\n');
    },
  );

  it.each(['.git', '.codex'])('every link of a chain from %s is put back', async (name) => {
    const ws = await workspace(
      `mkdir target evil way && echo keep > target/config && echo evil > evil/config && ln -s ../target way/cur && ln -s way/cur mid && ln -s mid ${name}`,
    );
    const last = await user.shell(ws, workspaceWrite(), 'ln -sfn ../evil way/cur; echo ran');
    expect(last).toMatchObject({ stdout: 'ran\n', violations: [expect.stringContaining('way/cur')] });
    const middle = await user.shell(ws, workspaceWrite(), 'ln -sfn evil mid; echo ran');
    expect(middle).toMatchObject({ stdout: 'ran\n', violations: [expect.stringContaining('mid')] });
    expect(readFileSync(`${ws}/${name}/config`, 'utf8')).toBe('keep\n');
    // Nor can the directory of a link be exchanged.
    await user.shell(ws, workspaceWrite(), 'mv way old && mkdir way && ln -s ../evil way/cur');
    expect(readFileSync(`${ws}/${name}/config`, 'utf8')).toBe('keep\n');
  });

  it.each(['.git', '.codex', '.agents'])('%s as a link to the workspace does not lock it', async (name) => {
    const ws = await workspace(`ln -s . ${name}`);
    const result = await user.shell(ws, workspaceWrite(), `echo x > file; cat file; rm ${name}; echo ran`);
    expect(result.stdout).toBe('x\nran\n');
    expect(result.violations).toHaveLength(1);
    expect(readlinkSync(`${ws}/${name}`)).toBe('.');
  });

  it('.agents as a link to a directory that is granted by name does not lock that', async () => {
    const ws = await workspace('mkdir src && ln -s src .agents');
    const policy = workspaceWrite({ roots: [`${ws}/src`] });
    expect((await user.shell(ws, policy, 'echo x > src/file; cat src/file')).stdout).toBe('x\n');
  });

  it('a symlinked .git to a place outside the workspace works too', async () => {
    const ws = await workspace();
    const elsewhere = await workspace('git init -q --bare .');
    await user.host(ws, `ln -s ${elsewhere} .git`);
    const result = await user.shell(
      ws,
      workspaceWrite({ roots: [elsewhere] }),
      'echo evil > .git/config; echo ran',
    );
    expect(result.stdout).toBe('ran\n');
    expect(readFileSync(`${elsewhere}/config`, 'utf8')).not.toContain('evil');
  });

  it('protects the directory that a .git file names', async () => {
    const ws = await workspace('git init -q --separate-git-dir=store . && test -f .git');
    await user.shell(
      ws,
      workspaceWrite(),
      'echo evil >> store/config; echo evil > .git; mv store away; rm -rf store',
    );
    expect(readFileSync(`${ws}/store/config`, 'utf8')).not.toContain('evil');
    expect(readFileSync(`${ws}/.git`, 'utf8')).toContain('gitdir:');
  });

  it('protects the repository of a linked worktree, wherever it is writable', async () => {
    const base = await workspace(
      'mkdir main && cd main && git init -q . && git commit -q --allow-empty -m one && git worktree add -q ../tree 2>/dev/null',
    );
    const tree = `${base}/tree`;
    const policy = workspaceWrite({ roots: [base], temporaryDirectories: false });
    const config = readFileSync(`${base}/main/.git/config`, 'utf8');
    const script =
      'echo evil > ../main/.git/hooks/post-commit; git config core.hooksPath /tmp; echo /tmp > ../main/.git/worktrees/tree/commondir; mv ../main ../away; mv ../main/.git ../main/old; echo ran; echo x > ../main/file && cat ../main/file';
    expect((await user.shell(tree, policy, script)).stdout).toBe('ran\nx\n');
    expect(readFileSync(`${base}/main/.git/config`, 'utf8')).toBe(config);
    expect(existsSync(`${base}/main/.git/hooks/post-commit`)).toBe(false);
  });

  it('starts nothing while a pointer file cannot be read, rather than without its repository', async () => {
    const base = await workspace(
      'mkdir main && cd main && git init -q . && git commit -q --allow-empty -m one && git worktree add -q ../tree 2>/dev/null',
    );
    const policy = workspaceWrite({ roots: [base], temporaryDirectories: false });
    for (const file of ['tree/.git', 'main/.git/worktrees/tree/commondir']) {
      const lease = await holdLease(user, base, file);
      const start = user.shell(
        `${base}/tree`,
        policy,
        'echo evil > ../main/.git/hooks/post-commit; echo ran',
      );
      await expect(start).rejects.toMatchObject({
        code: 'SANDBOX_PREPARE_FAILED',
        message: expect.stringContaining('EAGAIN'),
      });
      await lease.end();
    }
    expect(() => workspaceWrite({ allowCommitsIn: [`${base}/tree`] })).not.toThrow();
    expect(existsSync(`${base}/main/.git/hooks/post-commit`)).toBe(false);
  });

  it('protects a repository that a link in its pointer file leads to, and puts the link back', async () => {
    const ws = await workspace(
      'mkdir store && git init -q --separate-git-dir=store/git . && ln -s store here && echo "gitdir: here/git" > .git',
    );
    const script =
      'echo evil >> store/git/config; rm here; mkdir here; cp -r store/git here/git; echo evil >> here/git/config';
    const result = await user.shell(ws, workspaceWrite(), script);
    expect(result.violations).toHaveLength(1);
    expect(readlinkSync(`${ws}/here`)).toBe('store');
    expect(readFileSync(`${ws}/store/git/config`, 'utf8')).not.toContain('evil');
  });

  it('protects the repository around a workspace when a wider grant opens it', async () => {
    const ws = await workspace('git init -q . && mkdir -p a/b .codex && echo keep > .codex/config');
    const policy = workspaceWrite({ roots: [parentOf(ws)], temporaryDirectories: false });
    const script =
      'echo evil >> ../../.git/config; echo evil > ../../.codex/config; echo ran > ../ran; cat ../ran';
    expect((await user.shell(`${ws}/a/b`, policy, script)).stdout).toBe('ran\n');
    expect(readFileSync(`${ws}/.git/config`, 'utf8')).not.toContain('evil');
    expect(readFileSync(`${ws}/.codex/config`, 'utf8')).toBe('keep\n');
  });

  it('does not read a large .git file, nor wait for a pipe of that name', async () => {
    const large = await workspace('truncate -s 1900M .git');
    const pipe = await workspace('mkfifo .git');
    for (const ws of [large, pipe]) {
      const start = performance.now();
      expect((await user.shell(ws, workspaceWrite(), 'echo x > file; cat file')).stdout).toBe('x\n');
      expect(performance.now() - start).toBeLessThan(4000);
    }
  });

  it('a git outside leaves the configuration where its cover is, as long as a command may commit', async () => {
    const ws = await workspace(
      'git init -q . && git config extensions.worktreeConfig true && git config --worktree a.b c',
    );
    const script =
      'touch ready; echo evil > .git/evil; while [ ! -e enough ]; do mv -f .git/evil .git/config; rm -rf .git/config.lock; done 2>/dev/null; exit 6';
    const running = user.shell(ws, workspaceWrite({ allowCommitsIn: [ws] }), script);
    await expect.poll(() => existsSync(`${ws}/ready`), { timeout: 20_000 }).toBe(true);
    for (const where of ['--local', '--worktree']) {
      const refused = await user.host(ws, `git config ${where} x.y z`);
      expect(refused).toEqual({ code: 255, output: expect.stringContaining('could not lock config file') });
    }
    await user.host(ws, 'touch enough');
    expect(await running).toMatchObject({ exitCode: 6 });
    expect((await running).lostMount).toBeUndefined();
    const allowed = 'git config --local x.y z && git config --worktree x.y z && git config x.y';
    expect(await user.host(ws, allowed)).toEqual({ code: 0, output: 'z\n' });
    expect(readFileSync(`${ws}/.git/config`, 'utf8')).not.toContain('evil');
    expect((await listing(`${ws}/.git`)).split('\n').filter((name) => name.endsWith('.lock'))).toEqual([]);
  });

  it('the commit policy lets git commit, but plants nothing that runs later', async () => {
    const ws = await workspace('git init -q . && echo one > file && git add . && git commit -q -m one');
    const policy = workspaceWrite({ allowCommitsIn: [ws] });
    const config = readFileSync(`${ws}/.git/config`, 'utf8');
    const committed = await user.shell(
      ws,
      policy,
      `${gitIdentity} echo two > file && git add file && git commit -q -m two && git checkout -q -b side && git tag v1 && git stash list && git gc -q && git log --format=%s`,
    );
    expect(committed).toMatchObject({ exitCode: 0, stdout: 'two\none\n' });
    const planted = await user.shell(
      ws,
      policy,
      `echo evil > .git/hooks/pre-commit; git config core.hooksPath /tmp; echo evil > .git/config; mv .git/hooks .git/h; rm -rf .git/hooks; mv .git old; echo ../evil > .git/commondir; echo evil > .git/config.worktree; mkdir -p .git/modules/x .git/worktrees/x .git/remotes; mv .git/config .git/c; git remote add x 'ext::evil'; echo evil > .git/remotes/origin; echo done`,
    );
    expect(planted.stdout).toBe('done\n');
    expect(readFileSync(`${ws}/.git/config`, 'utf8')).toBe(config);
    const names = (await listing(`${ws}/.git`)).split('\n');
    for (const name of ['commondir', 'config.worktree', 'remotes', 'h', 'c'])
      expect(names).not.toContain(name);
    expect(existsSync(`${ws}/.git/hooks/pre-commit`)).toBe(false);
    expect(
      (await user.host(ws, `${gitIdentity} git commit -q --allow-empty -m three && git log -1 --format=%s`))
        .output,
    ).toBe('three\n');
  });

  it.each([
    ['', ''],
    ['where the folder has one of its names', 'mkdir refs && echo one > refs/file'],
  ])(
    'the commit policy makes no bare repository of the folder around the git directory %s',
    async (_, prepare) => {
      const ws = await workspace(`git init -q . && git commit -q --allow-empty -m one; ${prepare}`);
      const config =
        '[core]\\nrepositoryformatversion = 0\\nbare = false\\nworktree = .\\nfsmonitor = touch ran; false\\n';
      const script = `rm .git/HEAD; mkdir -p objects refs; echo ref: refs/heads/x > HEAD; printf '${config}' > config; echo done`;
      const planted = await user.shell(ws, workspaceWrite({ allowCommitsIn: [ws] }), script);
      expect(planted.stdout).toBe('done\n');
      const asked = await user.host(ws, 'git status 2>&1');
      expect(asked.output).toMatch(/not a git repository/);
      expect(existsSync(`${ws}/ran`)).toBe(false);
    },
  );

  it('the commit policy works in a linked worktree and refuses a forged pointer', async () => {
    const main = await workspace(
      'git init -q . && git commit -q --allow-empty -m one && git worktree add -q tree 2>/dev/null',
    );
    const policy = workspaceWrite({ allowCommitsIn: [`${main}/tree`] });
    const result = await user.run({
      argv: [
        '/bin/sh',
        '-c',
        `${gitIdentity} echo x > file && git add file && git commit -q -m two && git log --format=%s; echo evil >> ../.git/config; echo evil > ../.git/hooks/post-commit; echo /tmp > ../.git/worktrees/tree/commondir`,
      ],
      cwd: `${main}/tree`,
      policy,
      env: { PATH: '/usr/bin:/bin', HOME: main },
    });
    expect(result.stdout).toBe('two\none\n');
    expect(readFileSync(`${main}/.git/config`, 'utf8')).not.toContain('evil');
    expect(readFileSync(`${main}/.git/worktrees/tree/commondir`, 'utf8')).toBe('../..\n');
    const forged = await workspace('echo "gitdir: /etc" > .git');
    expect(() => workspaceWrite({ allowCommitsIn: [forged] })).toThrow(/names it back/);
  });
});

/** Who opens the file meanwhile is told to try again, or waits for 45 seconds. Sandboxed commands cannot do it. */
async function holdLease(user: SandboxUser, folder: string, file: string): Promise<{ end(): Promise<void> }> {
  const script = `import fcntl, os, time, signal
signal.signal(signal.SIGIO, signal.SIG_IGN)
fcntl.fcntl(os.open('${file}', os.O_RDONLY), 1024, fcntl.F_WRLCK)
open('held', 'w')
while os.path.exists('held'): time.sleep(0.01)`;
  const holder = user.host(folder, `python3 -c "${script}"`);
  while (!existsSync(`${folder}/held`)) await new Promise((resolve) => setTimeout(resolve, 10));
  return {
    end: async () => {
      rmSync(`${folder}/held`);
      expect(await holder).toEqual({ code: 0, output: '' });
    },
  };
}

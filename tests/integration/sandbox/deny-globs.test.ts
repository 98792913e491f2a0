// Deny globs over files that a command has made: whatever it leaves, the next command starts, and what is denied is.
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { prepareSandbox, workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxUser, users } from './support/sandbox-user.js';

describe.each(users)('deny globs, as %s', (_name, uid) => {
  let user: SandboxUser;
  beforeAll(() => {
    user = new SandboxUser(uid);
  });
  afterAll(() => user.close());
  const policyFor = (ws: string) =>
    workspaceWrite({ temporaryDirectories: false, deny: [`${ws}/**/*.env`, `${ws}/*.env`] });

  it.each([
    [
      'closes a directory',
      'mkdir -p shut/in; echo KEY > shut/in/x.env; chmod 000 shut',
      'chmod 700 shut; cat shut/in/x.env',
    ],
    [
      'makes a tree deeper than a path can be',
      `n=${'d'.repeat(200)}; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22; do mkdir $n; cd $n; done; echo KEY > x.env`,
      `n=${'d'.repeat(200)}; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22; do cd $n; done; cat x.env`,
    ],
    [
      'makes a tree of many levels',
      `mkdir -p ${'d/'.repeat(300)}; echo KEY > ${'d/'.repeat(300)}x.env`,
      `cat ${'d/'.repeat(300)}x.env`,
    ],
    [
      'makes many files',
      'mkdir -p a/b c; i=0; while [ $i -lt 600 ]; do echo KEY > a/b/$i.env; i=$((i+1)); done; echo KEY > c/x.env',
      'cat a/b/5.env c/x.env',
    ],
    ['makes a ring of links', 'ln -s y.env x.env; ln -s x.env y.env', 'cat x.env'],
    ['makes a link to the workspace', 'ln -s . x.env; mkdir sub; ln -s .. sub/up.env', 'cat x.env/none'],
    [
      'gives a denied file a second name',
      'mkdir a; echo KEY > a/x.env; ln a/x.env a/y.env',
      'cat a/x.env a/y.env',
    ],
  ])('a command that %s stops no later one', async (_what, make, read) => {
    const ws = user.directory();
    await user.host(ws, make);
    const result = await user.shell(ws, policyFor(ws), `(${read}); echo ran > ran; cat ran`);
    expect(result).toMatchObject({ exitCode: 0, stdout: 'ran\n' });
    await user.host(ws, 'chmod -R 700 . ; rm -rf ./*');
  });

  it('refuses a rule that names a file with a second name', async () => {
    const ws = user.directory();
    await user.host(ws, 'echo KEY > secret; ln secret twin');
    const attempt = user.shell(ws, workspaceWrite({ deny: [`${ws}/secret`] }), 'true');
    await expect(attempt).rejects.toMatchObject({ code: 'SANDBOX_POLICY_UNENFORCEABLE' });
  });
});

describe('a search', () => {
  it('leaves the event loop to others, with many patterns and many files', async () => {
    const ws = mkdtempSync('/var/tmp/sandbox-test-');
    try {
      for (let index = 0; index < 900; index += 1) writeFileSync(`${ws}/${'a'.repeat(100)}${index}.x`, '');
      mkdirSync(`${ws}/shut`);
      chmodSync(`${ws}/shut`, 0o000);
      const deny = Array.from({ length: 500 }, (_, index) => `${ws}/**/${'*a'.repeat(12)}*b${index}*.x`);
      // In processor time: a machine that is busy with something else makes everything late.
      let longest = 0;
      let last = process.cpuUsage();
      const look = (): void => {
        longest = Math.max(longest, process.cpuUsage(last).user / 1000);
        last = process.cpuUsage();
      };
      const timer = setInterval(look, 1);
      const prepared = await prepareSandbox({
        argv: ['/bin/true'],
        cwd: '/',
        env: {},
        policy: workspaceWrite({ roots: [ws], temporaryDirectories: false, deny }),
        context: { workspaceRoots: [] },
      });
      // One that took everything in one go never let the timer run.
      look();
      clearInterval(timer);
      await prepared.finish().cleanup;
      expect(longest).toBeLessThan(100);
    } finally {
      rmSync(ws, { recursive: true, force: true });
    }
  });
});

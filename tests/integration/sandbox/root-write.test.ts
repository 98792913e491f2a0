// Everything may be written except what is denied: what a user approves when a command is to leave its sandbox but not its
// denied reads.
import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { type SandboxPolicy, workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxUser, users } from './support/sandbox-user.js';

describe.each(users)('a writable root with denied reads, as %s', (_name, uid) => {
  let user: SandboxUser;
  let ws: string;
  let outside: string;
  beforeAll(async () => {
    user = new SandboxUser(uid);
    ws = user.directory();
    outside = user.directory();
    await user.host(
      ws,
      'mkdir secret .git; echo hunter2 > secret/key; echo hunter2 > a.env; mkdir sub; echo hunter2 > sub/b.env',
    );
  });
  afterAll(() => user.close());
  const policy = (): SandboxPolicy => ({
    fileSystem: {
      type: 'restricted',
      entries: [
        { path: { type: 'root' }, access: 'write' },
        { path: { type: 'path', path: `${ws}/secret` }, access: 'deny' },
        { path: { type: 'glob', pattern: `${ws}/**/*.env` }, access: 'deny' },
      ],
    },
    network: 'enabled',
  });

  it('writes anywhere its user may, and keeps what is denied denied', async () => {
    const planted = `${outside}/planted`;
    const result = await user.shell(
      ws,
      policy(),
      `cat secret/key a.env sub/b.env; ls secret; echo x > ${planted} && touch .git/x /var/tmp/${ws.split('/').pop()}.root && mkdir .codex && echo wrote; mv secret s2; mv a.env b; ln a.env c; mv sub elsewhere; true`,
    );
    expect(result.stdout).toBe('wrote\n');
    expect(result.stderr).not.toContain('hunter2');
    expect(existsSync(planted)).toBe(true);
    expect((await user.host(ws, 'ls -A; cat sub/b.env')).output).toBe(
      '.codex\n.git\na.env\nsecret\nsub\nhunter2\n',
    );
    rmSync(`/var/tmp/${ws.split('/').pop()}.root`);
    for (const name of ['/.git', '/.codex', '/.agents', '/.aws']) expect(existsSync(name)).toBe(false);
  });

  it('cannot change the programs that confine the next command', async () => {
    // Each attempt undoes itself, should it work.
    const attack = `(: >> /usr/bin/bwrap) && echo opened; mv -n /usr/bin/bwrap /usr/bin/bwrap.moved && mv /usr/bin/bwrap.moved /usr/bin/bwrap && echo moved; ln /usr/bin/bwrap /usr/bin/bwrap.link && rm /usr/bin/bwrap.link && echo linked; mv -n /usr/bin /usr/bin.moved && /usr/bin.moved/mv /usr/bin.moved /usr/bin && echo moved directory; (: >> ${process.execPath}) && echo node; true`;
    const result = await user.shell(ws, policy(), attack);
    expect(result.stdout).toBe('');
    expect((await user.shell(ws, policy(), 'echo next')).stdout).toBe('next\n');
  });

  // Who does not own the folder cannot write to it in any case.
  it.runIf(uid === 0)('cannot change them either where only their folder is writable', async () => {
    const folder = dirname(process.execPath);
    const beside = `${folder}/beside-${process.pid}`;
    const own = workspaceWrite({ roots: [folder] });
    const attack = `(: >> ${process.execPath}) && echo opened; mv -n ${process.execPath} ${beside} && mv ${beside} ${process.execPath} && echo moved; true`;
    expect((await user.shell(ws, own, attack)).stdout).toBe('');
  });
});

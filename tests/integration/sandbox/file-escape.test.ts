// Ways to read or write what the file rules forbid, against the real kernel.
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { readOnly, workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxUser, users } from './support/sandbox-user.js';

describe.each(users)('files, as %s', (_name, uid) => {
  let user: SandboxUser;
  let ws: string;
  let outside: string;
  beforeAll(() => {
    user = new SandboxUser(uid);
    outside = user.directory();
  });
  afterAll(() => user.close());
  const workspace = async (script = 'true'): Promise<string> => {
    ws = user.directory();
    expect((await user.host(ws, script)).code).toBe(0);
    return ws;
  };

  it('writes only below the writable roots', async () => {
    await workspace();
    const result = await user.shell(
      ws,
      workspaceWrite({ temporaryDirectories: false }),
      `echo in > in; echo out > ${outside}/out; echo tmp > /tmp/sandbox-test-out`,
    );
    expect(result.exitCode).not.toBe(0);
    expect(readFileSync(`${ws}/in`, 'utf8')).toBe('in\n');
    expect(existsSync(`${outside}/out`)).toBe(false);
    expect(existsSync('/tmp/sandbox-test-out')).toBe(false);
    expect(result.denial?.reason).toBe('read_only_file_system');
  });

  it('writes nothing at all under a read-only policy, but the null device works', async () => {
    await workspace();
    const result = await user.shell(ws, readOnly(), 'echo x > /dev/null && echo fine; echo x > file');
    expect(result.stdout).toBe('fine\n');
    expect(existsSync(`${ws}/file`)).toBe(false);
  });

  it('does not follow a link out of the workspace', async () => {
    await workspace(`ln -s ${outside} way && ln -s / top`);
    const result = await user.shell(
      ws,
      workspaceWrite(),
      `echo x > way/planted; echo x > top${outside}/planted2; echo x > /proc/self/root${outside}/planted3; echo x > /proc/1/root${outside}/planted4; ls ${outside}`,
    );
    expect(result.stdout).toBe('');
    expect((await user.host(outside, 'ls')).output).toBe('');
  });

  it('keeps a denied file and directory unreadable by every spelling', async () => {
    await workspace(
      'mkdir -p private/deep && echo secret > private/file && echo secret > private/deep/file && echo secret > single && ln -s private via',
    );
    const policy = workspaceWrite({ deny: [`${ws}/private`, `${ws}/single`] });
    const script = `cat private/file via/file ./private/../private/deep/file single /proc/self/cwd/single /proc/1/cwd/single;
      ls private; tar cf - . 2>/dev/null | tar xOf - 2>/dev/null; cp single copy; ln single link; cat link; mv single moved; cat moved; mv private elsewhere; cat elsewhere/file; rm -rf private single`;
    const result = await user.shell(ws, policy, script);
    expect(result.stdout).not.toContain('secret');
    expect(readFileSync(`${ws}/single`, 'utf8')).toBe('secret\n');
    expect(readFileSync(`${ws}/private/deep/file`, 'utf8')).toBe('secret\n');
  });

  it('keeps what matches a deny glob unreadable, links to it included', async () => {
    await workspace(
      'mkdir -p a/b && echo secret > a/b/x.env && echo secret > y.env && echo open > z.txt && ln -s z.txt pointing.env',
    );
    const policy = workspaceWrite({ deny: [`${ws}/**/*.env`] });
    const result = await user.shell(
      ws,
      policy,
      'cat a/b/x.env y.env; cat pointing.env z.txt; mv a c; cat c/b/x.env; mv a/b a/d; cat a/d/x.env',
    );
    expect(result.stdout).toBe('');
  });

  it('reopens a writable directory below a denied one', async () => {
    await workspace('mkdir -p a/b/c && echo secret > a/secret && echo secret > a/b/secret');
    const policy = workspaceWrite({ roots: [`${ws}/a/b/c`], deny: [`${ws}/a`] });
    const result = await user.shell(ws, policy, 'echo x > a/b/c/file; cat a/secret a/b/secret; ls a');
    expect(result.stdout).not.toContain('secret');
    expect(readFileSync(`${ws}/a/b/c/file`, 'utf8')).toBe('x\n');
  });

  it('shows nothing but the granted directories when the root is not readable', async () => {
    await workspace('echo mine > file');
    writeFileSync(`${outside}/other`, 'other');
    const policy = {
      fileSystem: {
        type: 'restricted' as const,
        entries: [
          { path: { type: 'minimal' as const }, access: 'read' as const },
          { path: { type: 'workspaceRoots' as const }, access: 'write' as const },
        ],
      },
      network: 'restricted' as const,
    };
    const result = await user.shell(
      ws,
      policy,
      `cat file; cat ${outside}/other; ls /var/tmp | wc -l; ls /home /root /opt; echo x > /planted; ls -d /bin/sh`,
    );
    expect(result.stdout).toBe('mine\n1\n/bin/sh\n');
    expect(existsSync('/planted')).toBe(false);
  });

  it('refuses a denied file that has a second hard link, or warns when told to', async () => {
    await workspace('echo secret > secret && ln secret twin');
    const policy = workspaceWrite({ deny: [`${ws}/secret`] });
    await expect(user.shell(ws, policy, 'cat twin')).rejects.toMatchObject({
      code: 'SANDBOX_POLICY_UNENFORCEABLE',
    });
    const accepted = await user.run({ argv: ['/bin/cat', 'secret'], cwd: ws, policy, hardLinks: 'warn' });
    expect(accepted.exitCode).not.toBe(0);
    expect(accepted.warnings.join()).toContain('hard links');
  });

  it('keeps a denied file denied after its parent is renamed', async () => {
    await workspace('mkdir -p outer/private && echo secret > outer/private/secret');
    const policy = workspaceWrite({ deny: [`${ws}/outer/private/secret`] });
    const first = await user.shell(
      ws,
      policy,
      'mv outer/private outer/pub; mv outer away; rm -rf outer; echo done',
    );
    expect(first.stdout).toBe('done\n');
    const second = await user.shell(
      ws,
      policy,
      'find . -type f -o -type c | xargs cat; cat away/private/secret outer/pub/secret outer/private/secret',
    );
    expect(second.stdout).not.toContain('secret');
    expect(readFileSync(`${ws}/outer/private/secret`, 'utf8')).toBe('secret\n');
  });

  it('protects two missing paths below one missing parent', async () => {
    await workspace();
    const policy = workspaceWrite({
      deny: [`${ws}/config/one`, `${ws}/config/two`, `${ws}/config/deep/three`],
    });
    const result = await user.shell(ws, policy, 'echo runs; mkdir -p config; echo x > config/one');
    expect(result.stdout).toBe('runs\n');
    expect((await user.host(ws, 'ls -A')).output).toBe('');
  });

  it('restricts only the network when the files are unrestricted', async () => {
    await workspace();
    const policy = { fileSystem: { type: 'unrestricted' as const }, network: 'restricted' as const };
    const result = await user.shell(
      ws,
      policy,
      `echo x > ${outside}/open && mkdir ${ws}/.git && ls /dev/kmsg && curl -sS http://127.0.0.1:1`,
    );
    expect(result.stdout).toBe('/dev/kmsg\n');
    expect(result.exitCode).not.toBe(0);
    expect((await user.host(outside, 'rm open && echo was there')).output).toBe('was there\n');
  });

  it('refuses a rule that the command could redirect', async () => {
    await workspace(`mkdir real && echo secret > real/secret && ln -s real link && ln -s ${outside} out`);
    for (const policy of [
      workspaceWrite({ deny: [`${ws}/link/secret`] }),
      workspaceWrite({ roots: [`${ws}/out`] }),
    ]) {
      await expect(user.shell(ws, policy, 'true')).rejects.toMatchObject({
        code: 'SANDBOX_POLICY_UNENFORCEABLE',
      });
    }
  });

  it('works in a workspace that is reached through a link', async () => {
    await workspace('mkdir real');
    mkdirSync(`${outside}/links`, { recursive: true });
    symlinkSync(`${ws}/real`, `${outside}/links/ws-${uid}`);
    const result = await user.shell(
      `${outside}/links/ws-${uid}`,
      workspaceWrite(),
      'echo x > file && mkdir .git; pwd -P',
    );
    expect(result.stdout).toBe(`${ws}/real\n`);
    expect((await user.host(`${ws}/real`, 'ls -A')).output).toBe('file\n');
  });

  it('lets nobody change the kernel through /proc or /sys', async () => {
    await workspace();
    const before = readFileSync('/proc/sys/kernel/core_pattern', 'utf8');
    const result = await user.shell(
      ws,
      workspaceWrite(),
      `for file in /proc/sys/kernel/core_pattern /proc/sys/kernel/modprobe /proc/sys/vm/swappiness /proc/sysrq-trigger /proc/mtrr /sys/kernel/uevent_helper /sys/power/state; do
        [ -e $file ] && (cat $file > /dev/null 2>&1; printf core >> $file) 2>/dev/null && echo "wrote $file"; done; find /proc/sys/vm /proc/sys/dev /proc/irq /proc/bus -type f -writable 2>/dev/null | head -3`,
    );
    expect(result.stdout).toBe('');
    expect(readFileSync('/proc/sys/kernel/core_pattern', 'utf8')).toBe(before);
  });

  it('gives the command no descriptor but its three streams', async () => {
    await workspace();
    const result = await user.shell(
      ws,
      workspaceWrite(),
      'for n in $(ls /proc/self/fd); do [ "$n" -gt 2 ] && readlink /proc/self/fd/$n; done; true',
    );
    expect(
      result.stdout
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('/proc/') && line !== '/dev/null'),
    ).toEqual([]);
  });

  it('does not let a variable of the command reach the wrapper', async () => {
    await workspace('printf "void f(void){}" > /dev/null; echo not-a-library > evil.so');
    const env = { PATH: '/usr/bin:/bin', LD_PRELOAD: `${ws}/evil.so`, LD_LIBRARY_PATH: ws, TMPDIR: outside };
    const result = await user.run({
      argv: ['/bin/sh', '-c', `echo $TMPDIR; echo x > ${outside}/tmpdir-file`],
      cwd: ws,
      env,
      policy: workspaceWrite(),
    });
    // One complaint of the loader for the command; a second one would come from bubblewrap.
    expect(result.stderr.match(/evil\.so/g)).toHaveLength(1);
    expect(result.stdout).toBe(`${outside}\n`);
    expect(existsSync(`${outside}/tmpdir-file`)).toBe(false);
  });
});

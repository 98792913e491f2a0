// Programs of several names (links to one file, like those of busybox, git and systemd): each does what the name says that it is
// called by, inside and outside.
import { chmodSync, existsSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { pythonIn, wire } from '../escalation/wire-script.js';
import { ShellServer } from './support/shell-server.js';

function script(path: string, text: string): string {
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

describe('a program that is called by another of its names', () => {
  it('does not leave by what is allowed for the first', async () => {
    await using server = await ShellServer.start({ rules: 'prefix_rule(["touch"], "allow")' });
    const other = join(server.outside, 'other');
    symlinkSync('/usr/bin/touch', other);
    const made = join(server.outside, 'made');
    const { notes } = await server.shell(`${other} ${made}`);
    expect(existsSync(made)).toBe(false);
    expect(notes?.join()).toContain(
      'because it was called as other, and what is allowed is touch: a program of several names does what the name says.',
    );
    await server.shell(`/usr/bin/touch ${made}`);
    expect(existsSync(made)).toBe(true);
  });

  it('leaves by what is allowed for this one', async () => {
    await using server = await ShellServer.start({ rules: 'prefix_rule(["other"], "allow")' });
    const other = join(server.outside, 'other');
    symlinkSync('/usr/bin/touch', other);
    await server.shell(`${other} ${join(server.outside, 'made')}`);
    expect(existsSync(join(server.outside, 'made'))).toBe(true);
  });

  it('is shown by this one when it is asked about', async () => {
    await using server = await ShellServer.start({ rules: 'prefix_rule(["touch"], "prompt")' });
    const other = join(server.outside, 'other');
    symlinkSync('/usr/bin/touch', other);
    await server.shell(`${other} x`);
    expect(server.questions).toEqual([
      `Allow the agent to run \`${other} x\` outside the sandbox, in ${server.workspace}?\nIt is a link to /usr/bin/touch.`,
    ]);
  });
});

describe('a script of several names', () => {
  const TEXT = `#!/bin/sh\ncp /dev/null "$OUTSIDE/made" && echo "$0"\n`;

  it('is told outside which one it was called by', async () => {
    await using server = await ShellServer.start({ rules: 'prefix_rule(["psql"], "allow")' });
    script(join(server.outside, 'pg_wrapper'), TEXT);
    symlinkSync('pg_wrapper', join(server.outside, 'psql'));
    const called = join(server.outside, 'psql');
    expect((await server.shell(called)).stdout).toBe(`${called}\n`);
    expect((await server.shell(`cd ${server.outside}; ./psql`)).stdout).toBe('./psql\n');
  });

  it('is executed where it lies when the name is one that the sandbox could give to something else', async () => {
    await using server = await ShellServer.start();
    const tool = script(join(server.outside, 'tool'), TEXT);
    server.writeRules(`host_executable("tool", ["${tool}"])\nprefix_rule(["tool"], "allow")`);
    expect((await server.shell(`ln -s ${tool} tool; ./tool`)).stdout).toBe(`${tool}\n`);
  });
});

describe('a name that the sandboxed side makes up', () => {
  it('does not tell a program outside where to look for its own files', async () => {
    await using server = await ShellServer.start({ rules: 'prefix_rule(["python3"], "allow")' });
    const version = 'lib/python$(/usr/bin/python3 -c "import sys; print(*sys.version_info[:2], sep=\'.\')")';
    await server.shell(
      [
        `mkdir -p own/bin own/${version}/site-packages && echo "home = /usr/bin" > own/pyvenv.cfg`,
        `echo 'import os; open(os.environ["OUTSIDE"] + "/made", "w")' > own/${version}/site-packages/own.pth`,
      ].join('\n'),
    );
    const told = (name: string) =>
      server.shell(`(exec -a ${name} /usr/bin/python3 -c 'import sys; print(sys.prefix)')`);
    const { stdout, notes } = await told('$PWD/own/bin/python3');
    expect(stdout).toBe(`${server.workspace}/own\n`);
    expect(existsSync(join(server.outside, 'made'))).toBe(false);
    expect(notes?.join()).toContain('it is told another name than its own');
    // That it leaves otherwise.
    expect(await told('python3')).toMatchObject({ stdout: '/usr\n', exit_code: 0 });
    expect((await told('python3')).notes).toBeUndefined();
  });

  it("is not told to a listed program that a link of one's own leads to", async () => {
    await using server = await ShellServer.start();
    const real = realpathSync('/usr/bin/python3');
    const name = basename(real);
    server.writeRules(`host_executable("${name}", ["${real}"])\nprefix_rule(["${name}"], "allow")`);
    const prefix = `-c 'import sys; print(sys.prefix)'`;
    const own = 'mkdir -p own/bin; echo "home = /usr/bin" > own/pyvenv.cfg; ln -s';
    const { stdout, notes } = await server.shell(`${own} ${real} own/bin/${name}; own/bin/${name} ${prefix}`);
    expect(stdout).toBe(`${server.workspace}/own\n`);
    expect(notes?.join()).toContain(`it is told that it lies at own/bin/${name}`);
    const back = await server.shell(`./own/../own/bin/${name} ${prefix}`);
    expect(back.stdout).toBe(`${server.workspace}/own\n`);
    expect(back.notes?.join()).toContain(`it is told that it lies at ./own/../own/bin/${name}`);
    expect(await server.shell(`${real} ${prefix}`)).toMatchObject({ stdout: '/usr\n', exit_code: 0 });
    expect((await server.shell(`${real} ${prefix}`)).notes).toBeUndefined();
  });

  it('does not make a listed program another one that is allowed', async () => {
    await using server = await ShellServer.start();
    const shell = realpathSync('/bin/sh');
    const tool = script(join(server.outside, 'tool'), '#!/bin/sh\ncp /dev/null "$OUTSIDE/made"\n');
    server.writeRules(`host_executable("tool", ["${tool}"])\nprefix_rule(["date"], "allow")`);
    const asDate = (file: string, words: string) =>
      server.shell(`ln -sf ${file} date; PATH=$PWD:$PATH; date ${words}`);
    for (const { notes } of [
      await asDate(shell, `-c 'cp /dev/null $OUTSIDE/made'`),
      await asDate(tool, ''),
    ]) {
      expect(notes?.join()).toContain('it was called as date, by a link that the sandbox can change');
    }
    expect(existsSync(join(server.outside, 'made'))).toBe(false);
  });

  it('is a path, also where it looks like the name of a program', async () => {
    await using server = await ShellServer.start();
    const listed = script(join(server.outside, 'deploy'), '#!/bin/sh\necho listed\n');
    mkdirSync(join(server.outside, 'other'));
    script(join(server.outside, 'other', 'deploy'), '#!/bin/sh\ncp /dev/null "$OUTSIDE/made"\n');
    server.writeRules(`host_executable("deploy", ["${listed}"])\nprefix_rule(["deploy"], "allow")`);
    writeFileSync(join(server.workspace, 'wire.py'), wire);
    const ask = pythonIn(server.workspace);
    const answered = (folder: string) =>
      server.shell(
        ask(
          `os.chdir("${folder}")\none = stream(); one.sendall(request("deploy")); print(answer(one)["action"])`,
        ),
      );
    expect((await answered(join(server.outside, 'other'))).stdout).toBe('Run\n');
    expect((await answered(server.outside)).stdout).toBe('Escalate\n');
    expect(existsSync(join(server.outside, 'made'))).toBe(false);
  });
});

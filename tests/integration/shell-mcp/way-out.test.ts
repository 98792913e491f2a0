// Ways out of the sandbox that once worked: by the spelling of a path, by what an earlier call could write, by the server's own
// files, by a closed descriptor. And rules that a link led around.
import { chmodSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { locatePrograms } from '@codex/escalation';
import { describe, expect, it } from 'vitest';
import { ShellServer } from './support/shell-server.js';

const PROGRAM = fileURLToPath(new URL('../../../apps/codex/dist/codex.js', import.meta.url));
const READ_ALL = { path: { type: 'special', value: { kind: 'root' } }, access: 'read' };

/** Writes a program of the sandboxed side, which says where it runs. */
const evil = (server: ShellServer, path: string): string =>
  `mkdir -p $(dirname ${path}); printf '#!/bin/sh\\ncp /dev/null ${server.outside}/made && echo outside || echo inside\\n' > ${path}; chmod +x ${path}`;

function script(folder: string, name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  chmodSync(path, 0o755);
  return path;
}

describe('a listed path', () => {
  it('is where the kernel goes, not what the spelling says', async () => {
    await using server = await ShellServer.start();
    const tool = script(server.outside, 'tool', '#!/bin/sh\necho listed\n');
    server.writeRules(`host_executable("tool", ["${tool}"])\nprefix_rule(["tool"], "allow")\n`);
    // By spelling, link/../.. is the folder above the workspace; by the link, it is one inside.
    await server.shell(`${evil(server, 'x/outside/tool')}; mkdir -p x/y/z; ln -s x/y/z link`);
    expect((await server.shell('./link/../../outside/tool')).stdout).toBe('inside\n');
    expect((await server.shell(tool)).stdout).toBe('listed\n');
    expect(existsSync(join(server.outside, 'made'))).toBe(false);
  });

  it('may be a link, which is what was listed', async () => {
    await using server = await ShellServer.start();
    const real = script(
      server.workspace,
      'real',
      '#!/bin/sh\ncp /dev/null "$OUTSIDE/made" && echo outside\n',
    );
    const tool = join(server.outside, 'tool');
    symlinkSync(real, tool);
    server.writeRules(`host_executable("tool", ["${tool}"])\nprefix_rule(["tool"], "allow")\n`);
    expect((await server.shell(tool)).stdout).toBe('outside\n');
  });
});

describe('what a stricter sandbox cannot write', () => {
  const readOnly = (server: ShellServer) => ({
    'codex/sandbox-state-meta': {
      permissionProfile: {
        type: 'managed',
        file_system: { type: 'restricted', entries: [READ_ALL] },
        network: 'restricted',
      },
      sandboxCwd: server.outside,
    },
  });

  it('does not leave when an earlier call could write it', async () => {
    await using server = await ShellServer.start({ rules: 'prefix_rule(["touch"], "allow")' });
    await server.shell(evil(server, './touch'));
    const { result } = await server.call({ command: './touch' }, readOnly(server));
    expect(result?.structuredContent?.stdout).toBe('inside\n');
    expect(existsSync(join(server.outside, 'made'))).toBe(false);
  });

  it('does not leave when it lies in the workspace or a temporary folder', async () => {
    await using server = await ShellServer.start({
      rules: 'prefix_rule(["tool"], "allow")',
      flags: ['--sandbox', 'read-only'],
    });
    script(
      server.workspace,
      'tool',
      '#!/bin/sh\ncp /dev/null "$OUTSIDE/made" && echo outside || echo inside\n',
    );
    expect((await server.shell('./tool')).stdout).toBe('inside\n');
    script(server.outside, 'tool', '#!/bin/sh\ncp /dev/null "$OUTSIDE/made" && echo outside\n');
    expect((await server.shell(`${server.outside}/tool`)).stdout).toBe('outside\n');
  });
});

describe.runIf(process.getuid?.() === 0)('what the sandbox can write and the host also has elsewhere', () => {
  it.each([
    ['the workspace', 'BASE/workspace', 'BASE/outside', 'tool'],
    ['a folder in it', 'BASE/workspace/deep', 'BASE/outside', 'tool'],
    ['a folder above it', 'BASE', 'BASE/outside', 'workspace/deep/tool'],
    ['a file', 'BASE/workspace/deep/tool', 'BASE/outside/tool', ''],
  ])('does not leave under its other name: %s', async (_, from, to, rest) => {
    await using server = await ShellServer.start({
      rules: 'prefix_rule(["tool"], "allow")',
      prepare: (base) => {
        mkdirSync(join(base, 'workspace', 'deep'));
        for (const place of ['workspace', 'workspace/deep', 'outside']) {
          script(
            join(base, place),
            'tool',
            '#!/bin/sh\ncp /dev/null "$HOME/made" && echo outside || echo inside\n',
          );
        }
      },
      mounts: `mount --bind ${from} ${to}`,
    });
    const tool = join(to.replace('BASE', server.base), rest);
    expect(await server.shell(tool)).toMatchObject({ stdout: 'inside\n' });
    expect(existsSync(join(server.home, 'made'))).toBe(false);
  });
});

it.runIf(process.getuid?.() === 0)(
  'rules cannot be changed under another name that the host has for them',
  async () => {
    await using server = await ShellServer.start({
      prepare: (base) => writeFileSync(join(base, 'workspace', 'team.rules'), ''),
      mounts: 'mount --bind BASE/workspace BASE/outside',
      flags: ['--rules', 'BASE/outside/team.rules'],
    });
    const { stdout } = await server.shell(
      'for rules in team.rules $OUTSIDE/team.rules; do : >> $rules && echo $rules; done',
    );
    expect(stdout).toBe('');
    expect((await server.shell(': > other; ls')).stdout).toContain('other');
  },
);

it('the server cannot be rewritten by the commands it runs, also when it lies in the workspace', async () => {
  const checkout = dirname(dirname(dirname(dirname(PROGRAM))));
  const { wrapper } = locatePrograms();
  await using server = await ShellServer.start({ flags: ['--writable-root', checkout, '--execve', wrapper] });
  const files = [PROGRAM, wrapper, join(dirname(PROGRAM), 'new.js')];
  for (const file of files) {
    // Changes nothing where it succeeds, but for the last.
    const { exit_code } = await server.shell(`: >> ${file}`);
    expect({ file, isWritable: exit_code === 0 }).toEqual({ file, isWritable: false });
    const folder = dirname(file);
    const moved = `mv ${folder} ${folder}.moved && mv ${folder}.moved ${folder} && echo moved`;
    expect((await server.shell(moved)).stdout).toBe('');
  }
  expect((await server.shell(`: >> ${join(checkout, 'package.json')}`)).exit_code).toBe(0);
});

it('a descriptor that was closed is not free for the first file that a program outside opens', async () => {
  await using server = await ShellServer.start({ rules: 'prefix_rule(["tool"], "allow")' });
  const open = 'import os; print(os.open("/dev/null", 0))';
  const failing = (fd: number, call: string) =>
    `import os\ntry:\n  ${call}\nexcept OSError as e: os.write(${fd}, b"%d" % e.errno)`;
  const python = script(
    server.outside,
    'tool',
    '#!/usr/bin/python3 -IS\nimport os, sys; exec(sys.argv[1])\n',
  );
  const run = async (code: string, redirect: string) =>
    (await server.shell(`${python} '${code}' ${redirect}`)).output;
  expect(Number(await run(open, '<&- 2>&-'))).toBeGreaterThan(2);
  // And a closed one is told as such.
  expect(await run(failing(2, 'os.write(1, b"x")'), '>&-')).toBe('9');
  expect(await run(failing(1, 'os.read(0, 1)'), '<&-')).toBe('9');
});

it('a text without an interpreter line runs outside as it does inside', async () => {
  await using server = await ShellServer.start({ rules: 'prefix_rule(["plain"], "allow")' });
  const plain = script(
    server.outside,
    'plain',
    'cp /dev/null "$OUTSIDE/made"; echo "$0" "$@"; [[ -n $BASH ]] && exit 7\n',
  );
  expect(await server.shell(`${plain} a 'b  c'`)).toMatchObject({
    exit_code: 7,
    output: `${plain} a b  c\n`,
  });
  expect(existsSync(join(server.outside, 'made'))).toBe(true);
});

it('a script outside that computes with the width of the terminal executes nothing of the command', async () => {
  await using server = await ShellServer.start({ rules: 'prefix_rule(["wide"], "allow")' });
  const wide = script(server.outside, 'wide', '#!/bin/bash\necho $((COLUMNS - 1)) $LC_OWN\n');
  const own = 'a[$(cp /dev/null "$OUTSIDE/made")]';
  expect((await server.shell(`COLUMNS='${own}' LC_OWN='${own}' ${wide}`)).stdout).toBe('-1\n');
  expect(existsSync(join(server.outside, 'made'))).toBe(false);
  expect((await server.shell(`COLUMNS=80 LC_OWN=C ${wide}`)).stdout).toBe('79 C\n');
});

describe('a rule for a path, or for a name', () => {
  it.each([
    ['a path', 'prefix_rule(["OUTSIDE/deeper/link"], "forbidden")'],
    ['a path, in any case', 'prefix_rule(["OUTSIDE/deeper/LINK"], "forbidden", canonical_matching=True)'],
    ['a name', 'prefix_rule(["link"], "forbidden")'],
  ])('holds for every link on the way: %s', async (_, rules) => {
    await using server = await ShellServer.start();
    const deeper = join(server.outside, 'deeper');
    mkdirSync(deeper);
    symlinkSync('/usr/bin/uname', join(deeper, 'link'));
    symlinkSync(deeper, join(server.outside, 'folder'));
    symlinkSync('deeper/link', join(server.outside, 'other'));
    server.writeRules(rules.replace('OUTSIDE', server.outside));
    const ways = [
      `${deeper}/link`,
      `cd ${deeper}; ./link`,
      `${server.outside}/deeper/../deeper/link`,
      `${server.outside}/folder/link`,
      `${server.outside}/other`,
      `ln -sf ${deeper}/link own; ./own`,
    ];
    for (const way of ways) {
      const { output } = await server.shell(way);
      expect({ way, output }).toEqual({ way, output: 'Execution denied: forbidden by policy\n' });
    }
  });
});

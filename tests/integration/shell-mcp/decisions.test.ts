// What rules decide, seen from a client: real Bash, real sandbox, real files that appear or do not.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ShellServer } from './support/shell-server.js';

const RULES = `
prefix_rule(["touch"], "allow")
prefix_rule(["printenv"], "allow")
prefix_rule(["mkdir"], "prompt", justification="makes folders")
prefix_rule(["whoami"], "forbidden", justification="you are nobody")
prefix_rule(["id"], "prompt")
prefix_rule(["tool"], "allow")
`;

let server: ShellServer;
let counter = 0;
/** A file that only a program outside of the sandbox can make. */
const target = (): string => join(server.outside, `made-${++counter}`);

beforeAll(async () => {
  server = await ShellServer.start({ rules: RULES });
});
afterAll(() => server[Symbol.asyncDispose]());

describe('an exec', () => {
  it('that no rule names stays inside', async () => {
    const file = target();
    const result = await server.shell(`cp /dev/null ${file}`);
    expect(result).toMatchObject({ exit_code: 1, sandbox_denied: true });
    expect(existsSync(file)).toBe(false);
  });

  it('that is allowed leaves, whichever way its name was put together', async () => {
    const ways = [
      (file: string) => `touch ${file}`,
      (file: string) => `/usr/bin/touch ${file}`,
      (file: string) => `cd /usr/bin && ./touch ${file}`,
      (file: string) => `T=to; "\${T}uch" ${file}`,
      (file: string) => `echo ${file} | while read f; do $(echo touch) "$f"; done`,
      (file: string) => `exec touch ${file}`,
    ];
    for (const way of ways) {
      const file = target();
      expect(await server.shell(way(file))).toMatchObject({ exit_code: 0, stderr: '' });
      expect(existsSync(file)).toBe(true);
    }
  });

  it('that is forbidden is denied, whichever way it is called', async () => {
    const ways = [
      'whoami',
      '/usr/bin/whoami',
      'cd /usr/bin; ./whoami',
      '/usr/bin/../bin/whoami',
      'BASH_EXEC_WRAPPER= whoami',
      '(unset BASH_EXEC_WRAPPER CODEX_ESCALATE_SOCKET LD_PRELOAD; whoami)',
      'BASH_EXEC_WRAPPER=/bin/echo whoami',
      'exec -a other whoami',
      'ln -sf /usr/bin/whoami innocent; ./innocent',
      'enable -n exec 2>/dev/null; whoami',
    ];
    for (const way of ways) {
      const { exit_code, stderr, stdout } = await server.shell(way);
      expect({ way, stdout, stderr, exit_code }).toEqual({
        way,
        stdout: '',
        stderr: 'Execution denied: forbidden by policy: you are nobody\n',
        exit_code: 1,
      });
    }
  });

  it('that another program makes is not seen, and stays inside', async () => {
    const { stdout } = await server.shell('env whoami');
    expect(stdout).not.toBe('');
  });
});

describe('a file that the sandbox can write', () => {
  const evil = (name: string): string => {
    const path = join(server.workspace, name);
    writeFileSync(path, '#!/bin/sh\ncp /dev/null "$1" && echo ran outside || echo ran inside\n');
    chmodSync(path, 0o755);
    return path;
  };

  it('does not leave although its name is allowed, and the answer says so', async () => {
    evil('touch');
    const file = target();
    const result = await server.shell(`./touch ${file}`);
    expect(result.stdout).toBe('ran inside\n');
    expect(existsSync(file)).toBe(false);
    expect(result.notes?.join()).toContain('ran inside the sandbox, because the sandbox can write to');
    expect(result.notes?.join()).toContain(
      `host_executable("touch", ["${join(server.workspace, 'touch')}"])`,
    );
  });

  it('does not leave through PATH, a link, a folder link or a hard link', async () => {
    const path = evil('evil');
    symlinkSync(path, join(server.workspace, 'tool'));
    linkSync(path, join(server.outside, 'tool'));
    for (const command of ['PATH=$PWD:$PATH tool', './tool', `${server.outside}/tool`]) {
      const file = target();
      expect({ command, ...(await server.shell(`${command} ${file}`)) }).toMatchObject({
        command,
        stdout: 'ran inside\n',
      });
      expect(existsSync(file)).toBe(false);
    }
  });

  it('does not leave through a link to a trusted program that it can change', async () => {
    const file = target();
    const result = await server.shell(`ln -s /usr/bin/touch linked; mv linked tool2; ./tool2 ${file}`);
    expect(result.exit_code).not.toBe(0);
    expect(existsSync(file)).toBe(false);
  });

  it('is not the interpreter of what leaves', async () => {
    const script = join(server.outside, 'tool');
    const interpreter = evil('interpreter');
    writeFileSync(`${script}.new`, `#!${interpreter}\n`);
    chmodSync(`${script}.new`, 0o755);
    const rules = `${RULES}\nprefix_rule(["tool.new"], "allow")`;
    server.writeRules(rules);
    const result = await server.shell(`${script}.new`);
    expect(result.notes?.join()).toContain(server.workspace);
    server.writeRules(RULES);
  });

  it('leaves when host_executable lists it', async () => {
    const path = evil('listed');
    server.writeRules(`${RULES}\nhost_executable("listed", ["${path}"])\nprefix_rule(["listed"], "allow")`);
    const file = target();
    expect((await server.shell(`./listed ${file}`)).stdout).toBe('ran outside\n');
    expect(existsSync(file)).toBe(true);
    server.writeRules(RULES);
  });
});

describe('a way that means something else to whoever looks', () => {
  it.each([
    ['/proc/self/root', (file: string) => `/proc/self/root/usr/bin/touch ${file}`],
    ['/proc/self/cwd', (file: string) => `cd /usr/bin; /proc/self/cwd/touch ${file}`],
    ['/dev/fd', (file: string) => `exec 9</usr/bin/touch; exec -a touch /dev/fd/9 ${file}`],
    ['another name', (file: string) => `exec -a sh touch ${file}`],
  ])('does not lead out: %s', async (_, way) => {
    const file = target();
    await server.shell(way(file));
    expect(existsSync(file)).toBe(false);
  });
});

describe('the environment of what leaves', () => {
  it('is that of the server; of the command it has only how text looks', async () => {
    const { stdout } = await server.shell(
      'export LD_PRELOAD=$PWD/evil.so GIT_SSH_COMMAND=evil EVIL=1 HOME=$PWD LANG=C NO_COLOR=1 OUTSIDE=changed; printenv',
    );
    const variables = new Map(
      stdout
        .trimEnd()
        .split('\n')
        .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)] as const),
    );
    expect(Object.fromEntries(variables)).toMatchObject({
      HOME: server.home,
      OUTSIDE: server.outside,
      LANG: 'C',
      NO_COLOR: '1',
    });
    for (const name of [
      'LD_PRELOAD',
      'GIT_SSH_COMMAND',
      'EVIL',
      'BASH_EXEC_WRAPPER',
      'CODEX_ESCALATE_SOCKET',
    ]) {
      expect(variables.has(name)).toBe(false);
    }
  });

  it('searches no folder of the workspace, even when the server was started with one', async () => {
    await using npx = await ShellServer.start({
      rules: RULES,
      env: { PATH: './node_modules/.bin:/usr/bin:/bin', PYTHONPATH: './lib', NODE_OPTIONS: '--no-warnings' },
    });
    const { stdout } = await npx.shell('printenv PATH PYTHONPATH NODE_OPTIONS');
    expect(stdout).toBe('/usr/bin:/bin\n--no-warnings\n');
  });
});

describe('a login shell', () => {
  it('asks nothing for its start-up files, and lets nothing of them leave', async () => {
    const made = target();
    writeFileSync(join(server.home, '.bash_profile'), `id -u >/dev/null; touch ${made}; echo started\n`);
    const asked = server.questions.length;
    const result = await server.shell('echo command', { login: true });
    expect(result.stdout).toBe('started\ncommand\n');
    expect(server.questions.length).toBe(asked);
    expect(existsSync(made)).toBe(false);
  });

  it('is still denied what is forbidden there', async () => {
    writeFileSync(join(server.home, '.bash_profile'), 'whoami\n');
    expect((await server.shell(':', { login: true })).stderr).toContain('Execution denied: forbidden');
    writeFileSync(join(server.home, '.bash_profile'), '');
  });
});

describe('what is protected inside', () => {
  it('rules cannot be changed by those whom they judge', async () => {
    await using wide = await ShellServer.start({
      rules: RULES,
      flags: [
        '--writable-root',
        'BASE',
        '--audit-log',
        'BASE/audit.jsonl',
        '--rules',
        'BASE/home/more.rules',
      ],
      env: {},
      prepare: (base) => writeFileSync(join(base, 'home', 'more.rules'), ''),
    });
    const rules = join(wide.home, '.codex', 'rules', 'default.rules');
    const attacks = [
      `echo > ${rules}`,
      `echo > ${join(wide.home, '.codex', 'rules', 'z.rules')}`,
      `rm -rf ${join(wide.home, '.codex')}`,
      `mv ${join(wide.home, '.codex')} ${join(wide.home, 'old')}`,
      `echo > ${join(wide.home, 'more.rules')}`,
      `rm -f ${join(wide.base, 'audit.jsonl')}`,
      `echo > ${join(wide.base, 'audit.jsonl')}`,
    ];
    for (const attack of attacks) {
      const { exit_code } = await wide.shell(attack);
      expect({ attack, failed: exit_code !== 0 }).toEqual({ attack, failed: true });
    }
    expect(readFileSync(rules, 'utf8')).toBe(RULES);
    expect(existsSync(join(wide.base, 'audit.jsonl'))).toBe(true);
    // The folder itself is writable, or nothing above would say anything.
    expect((await wide.shell(`cp /dev/null ${join(wide.base, 'free')}`)).exit_code).toBe(0);
  });
});

it('a copy of an allowed program is another program', async () => {
  copyFileSync('/usr/bin/touch', join(server.workspace, 'copied'));
  chmodSync(join(server.workspace, 'copied'), 0o755);
  const file = target();
  await server.shell(`./copied ${file}`);
  expect(existsSync(file)).toBe(false);
});

// The command line, the rules it reads, what it lists, the sandbox of a call, and the audit log.
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ShellServer } from './support/shell-server.js';

const PROGRAM = fileURLToPath(new URL('../../../apps/codex/dist/codex.js', import.meta.url));

async function ended(setting: Parameters<typeof ShellServer.spawn>[0]) {
  await using server = ShellServer.spawn(setting);
  server.child.stdin?.end();
  const { code } = await server.exited;
  return { code, stderr: server.stderr };
}

describe('the command line', () => {
  it.each([
    [['--unknown'], 2, 'unknown option'],
    [['--sandbox', 'none'], 2, 'sandbox'],
    [['--max-output-bytes', 'many'], 2, 'whole number'],
    [['--escalate-env', 'LD_PRELOAD'], 2, 'LD_PRELOAD'],
    [['--escalate-env', 'GIT*'], 2, 'GIT'],
    [['--sandbox', 'read-only', '--writable-root', '/x'], 2, '--writable-root'],
    [['--rules', '/no/such.rules'], 1, '/no/such.rules'],
    [['--audit-log', '/no/such/folder/log'], 1, '/no/such/folder/log'],
    [['--bash', '/no/bash'], 1, '/no/bash cannot be intercepted'],
    [['--bash', '/bin/dash'], 1, '(by the library): it does not run as a Bash does: /bin/dash: 0: '],
    [['--default-timeout-ms', '2', '--max-timeout-ms', '1'], 2, '(2) is more than `--max-timeout-ms` (1)'],
    [['--execve', '/no/wrapper'], 2, '/no/wrapper'],
  ])('%j ends it with %i', async (flags, code, text) => {
    expect(await ended({ flags })).toMatchObject({ code, stderr: expect.stringContaining(text) });
  });

  it('does not start with a broken rule file, and says where', async () => {
    expect(await ended({ rules: 'prefix_rule(["a"])\nprefix_rule([1])\n' })).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/default\.rules:2:/),
    });
  });

  it('says that the folder it was started in is gone', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'gone-'));
    const script = 'rmdir "$PWD"; exec "$0" "$1" exec-mcp-server';
    const started = promisify(execFile)('sh', ['-c', script, process.execPath, PROGRAM], { cwd: folder });
    await expect(started).rejects.toMatchObject({
      code: 1,
      stderr: 'Error: the folder that this was started in does not exist any more\n',
    });
  });

  it('says that a writable root is not there, and serves', async () => {
    await using server = await ShellServer.start({ flags: ['--writable-root', '/no/folder'] });
    expect((await server.shell('echo served')).stdout).toBe('served\n');
    expect(server.stderr).toBe(
      'codex-exec-mcp-server: `--writable-root`: /no/folder does not exist, so nothing can be written there\n',
    );
  });

  it('has a time for calls without one where the longest is less than usual', async () => {
    await using server = await ShellServer.start({ flags: ['--max-timeout-ms', '5000'] });
    expect((await server.shell('echo served')).stdout).toBe('served\n');
  });

  it('ends with 0 when its client goes', async () => {
    expect(await ended({})).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('what is announced', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])('revision %s', async (revision) => {
    await using server = ShellServer.spawn({});
    const { result } = await server.shakeHands(revision);
    expect(result).toMatchObject({
      protocolVersion: revision,
      serverInfo: { name: 'codex-exec-mcp-server' },
      instructions: 'This server provides a tool to execute shell commands and return their output.',
      capabilities: {
        tools: {},
        experimental: {
          'codex/sandbox-state': { version: '1.0.0' },
          'codex/sandbox-state-meta': expect.anything(),
        },
      },
    });
  });

  it('is one tool', async () => {
    await using server = await ShellServer.start({});
    const { result } = await server.request('tools/list');
    expect(result?.['tools']).toMatchObject([
      {
        name: 'shell',
        title: expect.any(String),
        description: expect.stringMatching(/^Runs a shell command and returns its output\./),
        inputSchema: { required: ['command', 'workdir'] },
        outputSchema: { type: 'object' },
        annotations: { readOnlyHint: false, destructiveHint: true, openWorldHint: true },
      },
    ]);
  });
});

describe('rules', () => {
  it('count from the next call on; broken ones change nothing and are told', async () => {
    await using server = await ShellServer.start({ rules: 'prefix_rule(["id"], "forbidden")' });
    expect((await server.shell('id')).stderr).toContain('Execution denied');
    server.writeRules('');
    expect((await server.shell('id -u')).exit_code).toBe(0);
    server.writeRules('prefix_rule(["id"], "forbidden")');
    server.writeRules('prefix_rule(', 'broken.rules');
    expect((await server.shell('id')).exit_code).toBe(0);
    await server.stderrIncludes('broken.rules');
    server.writeRules('', 'broken.rules');
    expect((await server.shell('id')).exit_code).toBe(1);
  });

  it('of the project are not read', async () => {
    await using server = await ShellServer.start({});
    await server.shell(
      'mkdir -p .codex/rules 2>/dev/null; mkdir rules; echo \'prefix_rule(["id"], "forbidden")\' > rules/x.rules',
    );
    expect((await server.shell('id -u')).exit_code).toBe(0);
  });
});

const profile = (entries: readonly object[], network = 'restricted') => ({
  type: 'managed',
  file_system: { type: 'restricted', entries },
  network,
});
const READ_ALL = { path: { type: 'special', value: { kind: 'root' } }, access: 'read' };

describe('the sandbox of a call', () => {
  it('is what the call says, else what was said last, else the flags', async () => {
    await using server = await ShellServer.start({ rules: 'prefix_rule(["touch"], "allow")' });
    const write = { command: 'cp /dev/null here && echo written' };
    const state = (permissionProfile: object) => ({
      permissionProfile,
      codexLinuxSandboxExe: '/bin/false',
      sandboxCwd: `file://${server.workspace}`,
      useLegacyLandlock: false,
      useMxc: false,
    });
    const readOnly = state(profile([READ_ALL]));
    const stdout = async (meta: object) =>
      (await server.call(write, { ...meta })).result?.structuredContent?.stdout;
    expect(await stdout({})).toBe('written\n');
    expect(await stdout({ 'codex/sandbox-state-meta': readOnly })).toBe('');
    expect(await stdout({ 'codex/sandbox-state': readOnly })).toBe('');
    expect((await server.request('codex/sandbox-state/update', readOnly)).result).toEqual({});
    expect(await stdout({})).toBe('');
    const writable = profile([READ_ALL, { path: { type: 'path', path: server.workspace }, access: 'write' }]);
    expect(await stdout({ 'codex/sandbox-state-meta': state(writable) })).toBe('written\n');
    const policy = { type: 'workspace-write', writable_roots: [], network_access: false };
    await server.request('codex/sandbox-state/update', {
      sandboxPolicy: policy,
      sandboxCwd: server.workspace,
    });
    expect(await stdout({})).toBe('written\n');
    const { error } = await server.call(write, {
      'codex/sandbox-state-meta': { ...readOnly, sandboxCwd: 1 },
    });
    expect(error).toMatchObject({ code: -32602 });
  });

  it('that hides files lets nothing leave', async () => {
    await using server = await ShellServer.start({ rules: 'prefix_rule(["touch"], "allow")' });
    const hiding = profile([
      READ_ALL,
      { path: { type: 'path', path: join(server.base, 'secret') }, access: 'none' },
    ]);
    const meta = {
      'codex/sandbox-state-meta': { permissionProfile: hiding, sandboxCwd: server.workspace },
    };
    const { result } = await server.call({ command: `touch ${server.outside}/x` }, meta);
    expect(result?.structuredContent).toMatchObject({ exit_code: 1 });
    expect(existsSync(join(server.outside, 'x'))).toBe(false);
  });

  it('that is none: allowed programs run, forbidden ones are denied', async () => {
    await using server = await ShellServer.start({
      rules: 'prefix_rule(["touch"], "allow")\nprefix_rule(["id"], "forbidden")',
      flags: ['--sandbox', 'danger-full-access'],
    });
    expect(
      await server.shell(`touch ${server.outside}/x && cp /dev/null ${server.outside}/y; id`),
    ).toMatchObject({
      exit_code: 1,
      stderr: 'Execution denied: forbidden by policy\n',
    });
    expect(existsSync(join(server.outside, 'y'))).toBe(true);
  });
});

describe('the audit log', () => {
  it('has a line for every exec', async () => {
    await using server = await ShellServer.start({
      rules:
        'prefix_rule(["touch"], "allow")\nprefix_rule(["id"], "forbidden")\nprefix_rule(["mkdir"], "prompt")',
      flags: ['--audit-log', 'BASE/audit.jsonl'],
      answers: ['decline'],
    });
    await server.shell(`cp /dev/null c; touch ${server.outside}/x; id; mkdir y`);
    const file = join(server.base, 'audit.jsonl');
    const lines = readFileSync(file, 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const execs = lines.filter(({ event }) => event === 'exec');
    // That of a program outside is written when its end is heard of, which may be after the shell has gone on.
    const touch = execs.find(({ program }) => program === '/usr/bin/touch');
    const inOrder = [...execs.filter((line) => line !== touch)].toSpliced(1, 0, touch ?? {});
    expect(inOrder.map(({ program, action, asked, exitCode }) => [program, action, asked, exitCode])).toEqual(
      [
        [expect.stringMatching(/\/cp$/), 'run', false, null],
        ['/usr/bin/touch', 'escalate', false, 0],
        ['/usr/bin/id', 'deny', false, 1],
        ['/usr/bin/mkdir', 'deny', true, 1],
      ],
    );
    expect(touch).toMatchObject({
      argv: ['touch', `${server.outside}/x`],
      workdir: server.workspace,
      matchedRules: [{ matchedPrefix: ['touch'], decision: 'allow' }],
    });
    expect(lines.filter(({ event }) => event === 'escalate')).toHaveLength(1);
  });
});

it('listed variables reach what leaves', async () => {
  await using server = await ShellServer.start({
    rules: 'prefix_rule(["printenv"], "allow")',
    flags: ['--escalate-env', 'CI', '--escalate-env', 'MINE_*'],
  });
  writeFileSync(join(server.workspace, 'x'), '');
  const { stdout } = await server.shell('CI=1 MINE_A=a OTHER=o printenv CI MINE_A OTHER');
  expect(stdout).toBe('1\na\n');
});

// `--json`: one line for a script, also when something fails.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { APP } from './support/codex-command.js';
import { InstalledCommand } from './support/installed-command.js';

const installed = new InstalledCommand();
const folder = mkdtempSync(join(homedir(), '.exec-server-json-'));
afterAll(() => {
  installed[Symbol.dispose]();
  rmSync(folder, { recursive: true, force: true });
});

function json(args: readonly string[]): { status: number | null; stderr: string; report: unknown } {
  const { status, stdout, stderr } = installed.run(args, { cwd: folder });
  expect(stdout.endsWith('\n')).toBe(true);
  return { status, stderr, report: JSON.parse(stdout) };
}

describe('run --json', () => {
  it('has the outcome and the output of both streams', () => {
    const { status, stderr, report } = json(['run', '--json', 'sh', '-c', 'echo out; echo err >&2; exit 3']);
    expect({ status, stderr }).toEqual({ status: 3, stderr: '' });
    expect(report).toEqual({
      kind: 'exited',
      exitCode: 3,
      code: 3,
      durationMs: expect.any(Number),
      stdout: 'out\n',
      stderr: 'err\n',
      omittedBytes: 0,
      lostBytes: 0,
    });
  });

  it('has the bytes where they are no text, and says how much it leaves out', () => {
    const { report } = json(['run', '--json', 'printf', String.raw`\377x`]);
    expect(report).toMatchObject({ stdoutBase64: Buffer.from([0xff, 0x78]).toString('base64') });
    const large = json(['run', '--json', 'sh', '-c', 'head -c 17825792 /dev/zero | tr "\\0" x']);
    expect(large.report).toMatchObject({ code: 0, omittedBytes: 1024 * 1024, lostBytes: 0 });
  });

  it('has a timeout, a signal and a failure', () => {
    expect(json(['run', '--json', '--timeout', '200ms', 'sleep', '30'])).toMatchObject({
      status: 124,
      report: { kind: 'timedOut', code: 124 },
    });
    expect(json(['run', '--json', 'sh', '-c', 'kill -9 $$']).report).toMatchObject({
      signal: 'SIGKILL',
      code: 137,
    });
    expect(json(['run', '--json', 'no-such-program'])).toMatchObject({
      status: 127,
      stderr: '',
      report: { kind: 'failed', code: 127, error: { code: 'process.spawn' } },
    });
    expect(json(['run', '--json', '--tty', 'ls']).report).toMatchObject({
      error: { code: 'RUN_FLAGS_INVALID' },
    });
  });
});

describe('cp --json', () => {
  it('has what was copied, and why nothing was', () => {
    writeFileSync(join(folder, 'a'), '12345');
    expect(json(['cp', '--json', 'a', `:${folder}/b`])).toEqual({
      status: 0,
      stderr: '',
      report: { from: 'a', to: `${folder}/b`, files: 1, bytes: 5, elapsedMs: expect.any(Number) },
    });
    expect(json(['cp', '--json', 'a', `:${folder}/b`])).toMatchObject({
      status: 1,
      stderr: '',
      report: { error: { code: 'COPY_REFUSED', message: `${folder}/b exists already; --force replaces it` } },
    });
  });
});

describe('sandbox --check', () => {
  it('tells whether a policy can be enforced, and runs nothing', () => {
    const { report } = json(['sandbox', '--check', '--json', 'touch', 'made']);
    expect(report).toEqual({ enforceable: true, type: 'linuxSeccomp', warnings: expect.any(Array) });
    expect(installed.run(['sandbox', '--check', 'touch', 'made'], { cwd: folder }).stdout).toContain(
      'can be enforced',
    );
    expect(installed.run(['run', '--cwd', folder, 'ls', 'made']).status).not.toBe(0);
  });

  it('has the reason where it cannot', () => {
    writeFileSync(
      join(folder, 'policy.json'),
      JSON.stringify({ type: 'managed', file_system: { type: 'unheard-of' }, network: 'restricted' }),
    );
    expect(json(['sandbox', '--check', '--json', '--policy', 'policy.json', 'true'])).toMatchObject({
      status: 1,
      report: { enforceable: false, error: { code: 'SANDBOX_POLICY_INVALID' } },
    });
  });

  it('reports on stderr after a command that was run', () => {
    const { status, stdout, stderr } = installed.run(['sandbox', '--json', 'sh', '-c', 'echo out; exit 4'], {
      cwd: folder,
    });
    expect({ status, stdout }).toEqual({ status: 4, stdout: 'out\n' });
    expect(JSON.parse(stderr)).toMatchObject({
      enforceable: true,
      exitCode: 4,
      violations: [],
      denial: null,
    });
  });

  it('has the denial of a command that the sandbox made fail', () => {
    const place = join(folder, 'not-here');
    const { status, stderr } = installed.run(
      ['sandbox', '--json', '--policy', 'read-only', 'sh', '-c', `echo out; touch ${place}; exit 5`],
      { cwd: folder },
    );
    const [complaint, report = ''] = stderr.trimEnd().split('\n');
    expect({ status, complaint }).toEqual({ status: 5, complaint: expect.stringContaining(place) });
    expect(JSON.parse(report)).toMatchObject({
      exitCode: 5,
      denial: { reason: 'read_only_file_system', line: complaint, path: place },
    });
  });

  it('passes everything on while it looks for a denial', () => {
    const script = 'head -c 20000000 /dev/zero | tr "\\0" x; cat; exit 6';
    const { status, stdout } = installed.run(['sandbox', '--json', 'sh', '-c', script], {
      cwd: folder,
      input: 'the end',
    });
    expect({ status, length: stdout.length, end: stdout.slice(-8) }).toEqual({
      status: 6,
      length: 20_000_007,
      end: 'xthe end',
    });
    const cut = installed.bash('exec-server sandbox --json yes 2>&1 | head -n 2');
    expect(cut).toMatchObject({ stdout: 'y\ny\n', stderr: '' });
  });
});

it.each(['version', 'version --json', 'doctor --json', '--help', 'completion bash', 'run --json true'])(
  'a disk that is full is a failure of `%s`',
  (args) => {
    const script = `exec "$0" "$1" ${args} > /dev/full`;
    const end = spawnSync('sh', ['-c', script, process.execPath, APP], { encoding: 'utf8', cwd: folder });
    expect([end.status, end.stderr]).toEqual([
      1,
      'Error: cannot write the output: ENOSPC: no space left on device, write\n',
    ]);
  },
);

import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { APP, CodexCommand, codex } from './support/codex-command.js';
import { ExecServerProgram } from './support/exec-server-program.js';

const folder = mkdtempSync(join(homedir(), '.codex-run-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const tokenFile = join(folder, 'token');
const token = randomBytes(32).toString('hex');
let server: ExecServerProgram;
let url: string;
beforeAll(async () => {
  writeFileSync(tokenFile, token, { mode: 0o600 });
  const args = ['--quiet', '--ws-auth', 'capability-token', '--ws-token-file', tokenFile];
  server = new ExecServerProgram(['exec-server', '--listen', 'ws://127.0.0.1:0', ...args], { cwd: folder });
  url = await server.url();
});
afterAll(() => server[Symbol.asyncDispose]());

describe.each(['in this process', 'behind a websocket'])('exec-server run on a server %s', (where) => {
  const target = (): string[] =>
    where === 'in this process' ? [] : ['--url', url, '--token-file', tokenFile];
  const run = (
    args: readonly string[],
    options: { input?: Uint8Array | string; env?: Record<string, string> } = {},
  ) => codex(['run', ...target(), ...args], { cwd: folder, ...options });

  it('passes output, its streams and the exit code', async () => {
    const { code, stdout, stderr } = await run(['--', 'sh', '-c', 'echo out; echo err >&2; exit 3']);
    expect({ code, stdout: String(stdout), stderr }).toEqual({ code: 3, stdout: 'out\n', stderr: 'err\n' });
  });

  it('passes megabytes in and out byte for byte', async () => {
    const input = randomBytes(5_000_000);
    const { code, stdout } = await run(['--', 'cat'], { input });
    expect(code).toBe(0);
    expect(stdout.equals(input)).toBe(true);
  });

  it('sets the directory and variables, also from here', async () => {
    const script = 'printf "%s %s %s" "$PWD" "$A" "$HERE"';
    const { stdout } = await run(
      ['--cwd', '/usr', '--env', 'A=b=c', '--env', 'HERE', '--', 'sh', '-c', script],
      {
        env: { HERE: 'value' },
      },
    );
    expect(String(stdout)).toBe('/usr b=c value');
  });

  it.each([
    ['no-such-program', 127, 'No such file'],
    ['./plain-file', 126, 'Permission denied'],
  ])('says that %s cannot run, with code %d', async (program, code, text) => {
    writeFileSync(join(folder, 'plain-file'), 'x');
    const end = await run(['--', program]);
    expect(end.code).toBe(code);
    expect(end.stderr).toMatch(new RegExp(`^exec-server run: .*${text}.*\n$`));
  });

  it('stops at the timeout with 124, and passes on what was said before', async () => {
    const end = await run(['--timeout', '300ms', '--', 'sh', '-c', 'echo begun; sleep 60']);
    expect(end).toMatchObject({ code: 124, stderr: 'exec-server run: stopped after 0.3 s\n' });
    expect(String(end.stdout)).toBe('begun\n');
  });

  it('ends with 128+n when a signal ends the command', async () => {
    expect((await run(['--', 'sh', '-c', 'kill -TERM $$'])).code).toBe(143);
  });

  it('runs sandboxed', async () => {
    const refused = join(folder, 'refused');
    const readOnly = await run(['--sandbox', 'read-only', '--', 'touch', refused]);
    expect(readOnly.code).toBe(1);
    expect(readOnly.stderr).toContain('exec-server run: the sandbox refused');
    expect(existsSync(refused)).toBe(false);
    const script = 'echo x > inside && ! touch "$HOME/.codex-run-outside" 2>/dev/null';
    const workspace = await run(['--sandbox', 'workspace-write', '--cwd', folder, '--', 'sh', '-c', script]);
    expect(workspace.code).toBe(0);
    expect(existsSync(join(folder, 'inside'))).toBe(true);
    expect((await run(['--sandbox', 'full-access', '--', 'touch', refused])).code).toBe(0);
    expect(existsSync(refused)).toBe(true);
    rmSync(refused);
  });

  it('ends with the command although something holds its output', async () => {
    const begun = performance.now();
    const { code, stdout } = await run(['--', 'sh', '-c', 'sleep 30 & echo done']);
    expect({ code, stdout: String(stdout) }).toEqual({ code: 0, stdout: 'done\n' });
    expect(performance.now() - begun).toBeLessThan(15_000);
  });

  it('ends although its input stays open', async () => {
    const { code } = await new CodexCommand(['run', ...target(), '--', 'true'], { cwd: folder, input: null })
      .end;
    expect(code).toBe(0);
  });

  it('interrupts at the first SIGINT and stops at the second', async () => {
    const script = 'trap "echo interrupted" INT; echo ready; while :; do sleep 0.1; done';
    const command = new CodexCommand(['run', ...target(), '--', 'sh', '-c', script], { cwd: folder });
    await command.stdoutIncludes('ready');
    command.child.kill('SIGINT');
    await command.stdoutIncludes('interrupted');
    command.child.kill('SIGINT');
    expect((await command.end).code).toBe(130);
  });

  it('passes SIGTERM on', async () => {
    const script = 'trap "exit 9" TERM; echo ready; while :; do sleep 0.1; done';
    const command = new CodexCommand(['run', ...target(), '--', 'sh', '-c', script], { cwd: folder });
    await command.stdoutIncludes('ready');
    command.child.kill('SIGTERM');
    expect((await command.end).code).toBe(9);
  });

  it('stops the command when nobody reads its output, as a pipe does', async () => {
    const pidFile = join(folder, `yes-${target().length}`);
    const command = new CodexCommand(
      ['run', ...target(), '--', 'sh', '-c', `echo $$ > ${pidFile}; exec yes`],
      {
        cwd: folder,
      },
    );
    await command.stdoutIncludes('y\n');
    command.child.stdout?.destroy();
    expect((await command.end).code).toBe(141);
    expect(existsSync(`/proc/${readFileSync(pidFile, 'utf8').trim()}`)).toBe(false);
  });

  it('loses nothing on a reader that pauses', async () => {
    const file = join(folder, 'large');
    const bytes = randomBytes(40_000_000);
    writeFileSync(file, bytes);
    const command = new CodexCommand(['run', ...target(), '--no-stdin', '--', 'cat', file], { cwd: folder });
    await new Promise((resolve) => command.child.stdout?.once('data', resolve));
    command.child.stdout?.pause();
    await new Promise((resolve) => setTimeout(resolve, 2500));
    command.child.stdout?.resume();
    const { code, stdout, stderr } = await command.end;
    expect({ code, stderr, same: stdout.equals(bytes) }).toEqual({ code: 0, stderr: '', same: true });
  });
});

describe('exec-server run', () => {
  it('fails with 125 and one sentence when it is used or connected wrongly', async () => {
    const cases: [string[], RegExp][] = [
      [['--no-such-flag', '--', 'ls'], /unknown option '--no-such-flag'/],
      [[], /missing required argument/],
      [['--timeout', 'soon', '--', 'ls'], /expected a time such as/],
      [['--url', 'http://h', '--', 'ls'], /^exec-server run: `--url` starts with ws:/],
      [
        ['--url', 'ws://127.0.0.1:1', '--', 'ls'],
        /^exec-server run: nothing listens on ws:\/\/127\.0\.0\.1:1 /,
      ],
      [['--url', url, '--', 'ls'], /^exec-server run: .* did not accept the credentials \(HTTP 401\)/],
      [
        ['--cwd', '/no/such', '--', 'ls'],
        /cannot start ls in \/no\/such: .*The working directory \/no\/such does not exist/,
      ],
    ];
    for (const [args, text] of cases) {
      const { code, stderr } = await codex(['run', ...args], { cwd: folder });
      expect(stderr).toMatch(text);
      expect(code).toBe(125);
    }
  });

  it('takes the address and the token from the environment', async () => {
    const env = { CODEX_EXEC_SERVER_URL: url, CODEX_EXEC_SERVER_TOKEN: token };
    const { code, stdout } = await codex(['run', '--', 'sh', '-c', 'echo "[$CODEX_EXEC_SERVER_TOKEN]"'], {
      env,
    });
    expect({ code, stdout: String(stdout) }).toEqual({ code: 0, stdout: '[]\n' });
  });

  it('does not hand its own token to a command on a server in this process', async () => {
    const env = { CODEX_EXEC_SERVER_TOKEN: token };
    const { stdout } = await codex(['run', '--', 'env'], { env });
    expect(String(stdout)).not.toContain(token);
  });

  it('says that its output cannot be written, and leaves no command running', async () => {
    const pidFile = join(folder, 'full');
    const inner = `'echo $$ > ${pidFile}; exec yes'`;
    const script = `${process.execPath} ${APP} run -- sh -c ${inner} > /dev/full`;
    const { code, stderr } = await codex(['run', '--', 'sh', '-c', script]);
    expect(stderr).toMatch(/^exec-server run: cannot write the output: ENOSPC/);
    expect(existsSync(`/proc/${readFileSync(pidFile, 'utf8').trim()}`)).toBe(false);
    expect(code).toBe(125);
  });

  it('says that the server went away', async () => {
    await using other = new ExecServerProgram(['exec-server', '--listen', 'ws://127.0.0.1:0', '--quiet']);
    const command = new CodexCommand([
      'run',
      '--reconnect',
      '1s',
      '--url',
      await other.url(),
      '--',
      'sh',
      '-c',
      'echo ready; sleep 60',
    ]);
    await command.stdoutIncludes('ready');
    other.child.kill('SIGKILL');
    const { code, stderr } = await command.end;
    expect(code).toBe(125);
    expect(stderr).toContain('exec-server run: the connection broke');
  });
});

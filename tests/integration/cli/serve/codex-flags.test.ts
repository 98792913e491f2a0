// Scripts that start OpenAI's `codex exec-server` start this one with the same flags: what changes nothing is taken,
// what would is refused with its reason.
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { ExecServerProgram } from '../support/exec-server-program.js';
import { InstalledCommand } from '../support/installed-command.js';

const installed = new InstalledCommand();
afterAll(() => installed[Symbol.dispose]());

describe('a flag of codex exec-server', () => {
  it('is accepted where it makes no difference', async () => {
    await using server = new ExecServerProgram([
      ...['exec-server', '--quiet', '--listen', 'ws://127.0.0.1:0', '--concurrent-requests', '16'],
      ...[
        '-c',
        'model="o3"',
        '--config',
        'features.x=true',
        '--enable',
        'a',
        '--enable',
        'b',
        '--disable',
        'c',
      ],
      ...['--strict-config', '--linux-sandbox-pid-namespace', 'isolate', '--proxy-private-ips-via-upstream'],
      ...['--environment-id', 'box', '--name', 'Box'],
    ]);
    expect(await server.url()).toMatch(/^ws:/);
    expect(server.stderr).toBe('');
  });

  it.each([
    [['--remote', 'https://x'], '`--remote`: this server does not register itself with a remote service'],
    [['--registration-bearer-stdin'], '`--registration-bearer-stdin`: this server does not register itself'],
    [['--aws-sigv4'], '`--aws-sigv4`: this server does not register itself'],
    [
      ['--linux-sandbox-pid-namespace', 'inherit'],
      '`--linux-sandbox-pid-namespace inherit`: a sandboxed command',
    ],
    [['exec-server', 'forward', '--connect', 'ws://x'], '`forward` is a command of OpenAI'],
  ])('is refused where it would: %j', (args, sentence) => {
    const { status, stderr, stdout } = installed.run(args);
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain(`Error: ${sentence}`);
  });

  it('has the values that the real one has', () => {
    expect(installed.run(['--concurrent-requests', '0'])).toMatchObject({ status: 2 });
    expect(installed.run(['--linux-sandbox-pid-namespace', 'some'])).toMatchObject({ status: 2 });
  });
});

describe('--exit-on-stdin-close', () => {
  const args = ['exec-server', '--quiet', '--listen', 'ws://127.0.0.1:0'];

  it.each([
    ['by flag', ['--exit-on-stdin-close'], {}],
    ['by variable', [], { CODEX_EXEC_SERVER_EXIT_ON_STDIN_CLOSE: '1' }],
  ])('ends the server with its input, %s', async (_how, more, env) => {
    await using server = new ExecServerProgram([...args, ...more], { env });
    await server.url();
    server.child.stdin?.write('ignored\n');
    server.child.stdin?.end();
    expect(await server.exited).toEqual({ code: 0, signal: null });
  });

  it('is off by default', async () => {
    await using server = new ExecServerProgram(args);
    await server.url();
    server.child.stdin?.end();
    const first = await Promise.race([
      once(server.child, 'close').then(() => 'ended'),
      new Promise((resolve) => setTimeout(resolve, 700, 'runs on')),
    ]);
    expect(first).toBe('runs on');
  });
});

// Guards of the programs one by one, without a shell or with one of somebody else: each of these fails when its guard is taken out.
import { execFile, execFileSync, spawn, spawnSync } from 'node:child_process';
import { closeSync, copyFileSync, mkdtempSync, openSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import { encodeBrokerConfig } from '../../../packages/escalation/src/broker/broker-config.js';
import { PROGRAMS, shellOf } from './native-harness.js';
import { fakeServer } from './wire-script.js';

const folder = mkdtempSync(join(tmpdir(), 'escalation-programs-'));
const { wrapper, broker } = PROGRAMS;
afterAll(() => rmSync(folder, { recursive: true, force: true }));

it('a broker comes only to the server that has started it', async () => {
  const server = createServer((socket) => socket.resume());
  const door = `codex-guards-${process.pid}-`.padEnd(107, 'x');
  await new Promise<void>((resolve) => server.listen(`\0${door}`, () => resolve()));
  const config = join(folder, 'config');
  const from = async (serverPid: number) => {
    writeFileSync(
      config,
      encodeBrokerConfig({
        serverPid,
        shellFd: 200,
        maxSessions: 4,
        firstFrameMs: 1000,
        door,
        token: 't',
        askedPrograms: 'all',
      }),
    );
    const fd = openSync(config, 'r');
    const child = spawn(broker, ['3', '/bin/true', 'true'], {
      stdio: ['ignore', 'ignore', 'pipe', fd],
    });
    closeSync(fd);
    let said = '';
    child.stderr?.on('data', (text: Buffer) => {
      said += text.toString();
    });
    return new Promise<string>((resolve) => child.on('close', (code) => resolve(`${code} ${said}`)));
  };
  expect(await from(process.pid)).toBe('0 ');
  expect(await from(process.ppid)).toMatch(
    /^126 codex-escalation-broker: the server cannot be reached: Operation not permitted/,
  );
  server.close();
});

it('another shell that is given the library is not ours, and keeps its variables', async () => {
  const shell = await shellOf('preload');
  const other = join(folder, 'other');
  copyFileSync(shell.bash, other);
  const env = { ...shell.environment, BASH_EXEC_WRAPPER: '/bin/false', PATH: '/usr/bin:/bin' };
  const { stdout } = await promisify(execFile)(
    other,
    ['--norc', '-c', '/bin/true; echo $? $CODEX_INTERCEPTED_SHELL $LD_PRELOAD'],
    { env },
  );
  expect(stdout).toBe(`0 ${shell.bash} ${PROGRAMS.preload}\n`.replace(shell.bash, realpathSync(shell.bash)));
});

it('a shell that is no Bash asks, too, and nothing that it runs counts as start-up', async () => {
  const script = join(folder, 'shell-server.py');
  writeFileSync(script, fakeServer);
  const { environment } = await shellOf('preload');
  const variables = JSON.stringify({ ...environment, CODEX_INTERCEPTED_SHELL: realpathSync('/bin/sh') });
  const answers = '[{"action":{"Deny":{"reason":"no"}}}]';
  const args = [script, '/bin/sh', '-c', '["/usr/bin/printf ran; exit 3"]', answers, variables];
  expect(execFileSync('python3', args).toString()).toBe(
    "['/usr/bin/printf', 'ran'] False\n3 Execution denied: no\n",
  );
});

describe('the wrapper', () => {
  it.each([
    ['a file', 'open("/dev/null")'],
    ['a socket of the network', 'socket.socket(socket.AF_INET, socket.SOCK_DGRAM)'],
    ['a stream', 'socket.socketpair()[0]'],
    ['closed', 'None'],
  ])('asks nobody where its descriptor is %s', (_name, made) => {
    const script = [
      'import os, socket, subprocess, sys',
      `it = ${made}`,
      'fds = [] if it is None else [os.dup2(it.fileno(), 200)]',
      'env = {"CODEX_ESCALATE_SOCKET": "200"}',
      'done = subprocess.run([sys.argv[1], "/bin/true", "true"], pass_fds=fds, env=env, stderr=subprocess.PIPE, timeout=10)',
      'print(done.returncode, done.stderr.decode())',
    ].join('\n');
    expect(execFileSync('python3', ['-c', script, wrapper]).toString()).toMatch(
      /^126 .*CODEX_ESCALATE_SOCKET is not the number of an open socket/,
    );
  });

  it.each(['', '-1', '+200', '200x', ' 200', '99999999999999999999'])(
    'asks nobody where its variable is %j',
    (number) => {
      const env = { CODEX_ESCALATE_SOCKET: number };
      const { status, stderr } = spawnSync(wrapper, ['/bin/true', 'true'], { env });
      expect([status, stderr.toString()]).toEqual([126, expect.stringContaining('is not the number of an')]);
    },
  );

  const answered = (answers: string, argv = '["true"]') => {
    const script = join(folder, 'server.py');
    writeFileSync(script, fakeServer);
    return execFileSync('python3', [script, wrapper, '/usr/bin/printf', argv, answers]).toString();
  };

  it.each([
    ['an action that it does not know', '[{"action":"Perhaps"}]', /^126 .*the answer is not understood/],
    ['an answer without an action', '[{}]', /^126 .*the answer is not understood/],
    ['two answers in one', '["{\\"action\\":\\"Run\\",\\"action\\":\\"Run\\"}"]', /^126 .*not understood/],
    ['an answer that is too long', '"too long"', /^126 .*there was no answer/],
    ['no answer', '[]', /^126 .*there was no answer/],
    ['an end that it does not understand', '[{"action":"Escalate"},{"exit":1}]', /^126 .*the broker is gone/],
    ['no end', '[{"action":"Escalate"}]', /^126 .*the broker is gone/],
  ])('runs nothing after %s', (_name, answers, expected) => {
    expect(answered(answers)).toMatch(expected);
  });

  it('obeys', () => {
    expect(answered('[{"action":"Run"}]', '["printf","ran"]')).toBe('0 ran');
    expect(answered('[{"action":{"Deny":{"reason":null}}}]')).toBe('1 Execution denied\n');
    expect(answered('[{"action":{"Deny":{"reason":"no"}}}]')).toBe('1 Execution denied: no\n');
    expect(answered('[{"action":"Escalate"},{"exit_code":7}]')).toBe('7 ');
  });

  it('lets nothing leave whose words are no text, whatever a server says', () => {
    expect(answered('[{"action":"Escalate"},{"exit_code":7}]', '["printf","a\\udcffb"]')).toBe('0 a\\xffb');
  });
});

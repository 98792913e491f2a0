// What a command finds when it runs, and how its end is told.
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { launchers } from './support/launcher-under-test.js';
import { closedPipe, PATH, pty, run } from './support/run-command.js';

describe.each(launchers)('a command (%s)', (kind, create) => {
  it.each([0, 1, 3, 126, 127, 255])('exits with %i', async (code) => {
    const { status } = await run(create(), ['sh', '-c', `exit ${code}`]);
    expect(status).toEqual({ code, signal: null });
  });

  it.each(['SIGTERM', 'SIGKILL', 'SIGINT', 'SIGSEGV', 'SIGABRT', 'SIGUSR1', 'SIGPIPE'])(
    'ends by %s',
    async (signal) => {
      for (const io of [closedPipe, pty]) {
        const { status } = await run(create(), ['sh', '-c', `kill -${signal.slice(3)} $$`], { io });
        expect(status).toEqual({ code: null, signal });
      }
    },
  );

  it('sees exactly the given environment', async () => {
    const env = {
      PATH,
      ZETA: '1',
      ALPHA: 'a b\n"c"',
      EMPTY: '',
      'weird name%%': '() { x; }',
      UTF: 'žluť€😀',
    };
    // On the pure-Node path a terminal's command passes through a shell, which changes the environment a little.
    for (const io of kind === 'native' ? [closedPipe, pty] : [closedPipe]) {
      const outcome = await run(create(), ['env', '-0'], { env, io });
      const seen = (outcome.stdout + outcome.pty.replaceAll('\r\n', '\n'))
        .split('\0')
        .filter((line) => line !== '');
      expect(seen).toEqual(Object.entries(env).map(([name, value]) => `${name}=${value}`));
    }
    expect((await run(create(), ['/usr/bin/env', '-0'], { env: {} })).stdout).toBe('');
  });

  it('gets its arguments byte for byte', async () => {
    const args = ['', ' ', '-n', "it's", '"', '$HOME', '\\', 'line\nbreak', 'ünï😀'];
    const { stdout } = await run(create(), ['printf', '%s\\0', ...args]);
    expect(stdout.split('\0').slice(0, -1)).toEqual(args);
  });

  it('starts in the given directory', async () => {
    expect((await run(create(), ['pwd', '-P'], { cwd: '/usr/bin', env: { PATH } })).stdout).toBe(
      '/usr/bin\n',
    );
  });

  it('can carry another name', async () => {
    const argv = ['bash', '-c', 'tr "\\0" "\\n" </proc/$$/cmdline | head -1'];
    expect((await run(create(), argv, { arg0: 'other-name' })).stdout).toBe('other-name\n');
  });

  it('leads its own session and group', async () => {
    const { stdout } = await run(create(), ['ps', '-o', 'pid=,pgid=,sid=,tty=', '-C', 'ps']);
    const fields = stdout
      .trim()
      .split('\n')
      .map((line) => line.trim().split(/\s+/))
      .find((row) => row[0] === row[2]);
    expect(fields?.[0]).toBe(fields?.[1]);
    expect(fields?.[3]).toBe('?');
  });

  it('starts with no blocked and no ignored signal', async () => {
    const { stdout } = await run(create(), ['grep', '-E', '^Sig(Blk|Ign)', '/proc/self/status']);
    expect(stdout.match(/[0-9a-f]{16}/g)).toEqual(Array(2).fill('0'.repeat(16)));
  });

  it('closed stdin is /dev/null', async () => {
    expect((await run(create(), ['readlink', '/proc/self/fd/0'])).stdout).toBe('/dev/null\n');
    expect((await run(create(), ['wc', '-c'])).stdout.trim()).toBe('0');
  });

  it('receives the descriptors that were named, under their new numbers', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'inherit-'));
    writeFileSync(join(directory, 'a'), 'first');
    writeFileSync(join(directory, 'b'), 'second');
    const a = openSync(join(directory, 'a'), 'r');
    const b = openSync(join(directory, 'b'), 'r');
    try {
      // Crossed on purpose: each target is the number of another source.
      const inheritFds = [
        { fd: a, as: b },
        { fd: b, as: a },
        { fd: a, as: 9 },
      ];
      const script = `cat /proc/self/fd/${b}; echo; cat /proc/self/fd/${a}; echo; ls /proc/self/fd`;
      const { stdout } = await run(create(), ['bash', '-c', script], { inheritFds });
      const [first, second, ...open] = stdout.trim().split('\n');
      expect([first, second]).toEqual(['first', 'second']);
      expect(open).toEqual(expect.arrayContaining(['0', '1', '2', '9']));
    } finally {
      closeSync(a);
      closeSync(b);
      rmSync(directory, { recursive: true });
    }
  });

  it.runIf(kind === 'native')('inherits no other descriptor', async () => {
    const expected = ['0', '1', '2', '3']; // 3 is ls reading the directory
    expect((await run(create(), ['ls', '/proc/self/fd'])).stdout.trim().split('\n')).toEqual(expected);
    const outcome = await run(create(), ['ls', '-1', '/proc/self/fd'], { io: pty });
    expect(outcome.pty.trim().split('\r\n')).toEqual(expected);
  });

  it.runIf(kind === 'native')('can open its own stdout and stderr by name', async () => {
    const script = 'echo one >/dev/stdout; echo two >/dev/stderr; echo three >>/proc/self/fd/1';
    const outcome = await run(create(), ['sh', '-c', script]);
    expect(outcome.stdout).toBe('one\nthree\n');
    expect(outcome.stderr).toBe('two\n');
  });

  it.runIf(kind === 'native')(
    'is not shown in the command line or environment of its supervisor',
    async () => {
      const secret = `secret-${process.pid}`;
      const argv = [
        'sh',
        '-c',
        'tr "\\0" " " </proc/$PPID/cmdline; tr "\\0" " " </proc/$PPID/environ',
        secret,
      ];
      const { stdout } = await run(create(), argv, { env: { PATH, SECRET: secret } });
      expect(stdout).toContain('codex-launcher');
      expect(stdout).not.toContain(secret);
    },
  );

  it.runIf(kind === 'native')('reads bytes that came with the launch as a file', async () => {
    const data = Buffer.alloc(300_000, 'abc');
    const { stdout } = await run(create(), ['sh', '-c', 'wc -c <&7; head -c 6 <&8'], {
      inheritFds: [
        { data, as: 7 },
        { data: Buffer.from('second'), as: 8 },
      ],
    });
    expect(stdout).toBe('300000\nsecond');
  });
});

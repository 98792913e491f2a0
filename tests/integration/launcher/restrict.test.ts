// Restrictions really hold: tried by a command that attempts what is forbidden. Native only; the other kind refuses.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createLauncher, nativeLauncher, type Restrictions } from './support/launcher-under-test.js';
import { openPipe, pty, run, specOf } from './support/run-command.js';

let directory = '';
beforeAll(() => {
  directory = realpathSync(mkdtempSync(join(tmpdir(), 'restrict-')));
  mkdirSync(join(directory, 'open'));
  mkdirSync(join(directory, 'shut'));
  writeFileSync(join(directory, 'shut', 'secret'), 'secret');
});
afterAll(() => rmSync(directory, { recursive: true }));

const systemRead = { path: '/', allow: ['read', 'execute'] } as const;

async function sh(script: string, restrict: Restrictions) {
  return run(nativeLauncher(), ['bash', '-c', script], { restrict, cwd: directory });
}

describe('no_new_privs and rlimits', () => {
  it('are set before the command runs', async () => {
    const { stdout } = await sh('grep NoNewPrivs /proc/self/status; ulimit -n; ulimit -Hn; ulimit -c', {
      noNewPrivileges: true,
      rlimits: [
        { resource: 'nofile', soft: 64, hard: 128 },
        { resource: 'core', soft: 0, hard: Number.POSITIVE_INFINITY },
      ],
    });
    expect(stdout.trim().split('\n')).toEqual(['NoNewPrivs:\t1', '64', '128', '0']);
  });

  it('that the kernel refuses fail the launch', async () => {
    const restrict = { rlimits: [{ resource: 'nofile', soft: 10, hard: 5 }] } as const;
    await expect(nativeLauncher().launch(specOf(['true'], { restrict }))).rejects.toMatchObject({
      stage: 'restrict',
      errno: 'EINVAL',
    });
  });

  it('do not reach the supervisor', async () => {
    const { stdout } = await sh('grep NoNewPrivs /proc/$PPID/status', { noNewPrivileges: true });
    expect(stdout).toBe('NoNewPrivs:\t0\n');
  });
});

describe('Landlock', () => {
  it('allows writing below the named roots only', async () => {
    const { stdout, stderr } = await sh(
      'echo a >open/f && cat open/f; mv open/f open/g && rm open/g && echo moved; ' +
        'echo b >shut/f; rm shut/secret; mkdir shut/d; : >>shut/secret; truncate -s0 shut/secret; mv shut/secret open/; ' +
        'cat shut/secret; echo x >/dev/null && echo null-ok',
      {
        noNewPrivileges: true,
        landlock: {
          fs: [
            systemRead,
            { path: join(directory, 'open'), allow: ['read', 'write'] },
            { path: '/dev/null', allow: ['read', 'write'] },
            { path: join(directory, 'missing'), allow: ['write'] },
          ],
          minimumAbi: 3,
        },
      },
    );
    expect(stdout).toBe('a\nmoved\nsecretnull-ok\n');
    expect(stderr.match(/Permission denied/g)?.length).toBe(6);
  });

  it('keeps from reading and executing what is not named', async () => {
    const fs = ['/usr', '/bin', '/lib', '/lib64', '/etc'].map((path) => ({
      path,
      allow: ['read', 'execute'] as const,
    }));
    const { stdout, stderr } = await sh('cat shut/secret; ls .; cat /etc/hostname >/dev/null 2>&1; echo $?', {
      noNewPrivileges: true,
      landlock: { fs: [...fs, { path: '/dev/null', allow: ['read', 'write'] }] },
    });
    expect(stdout).toBe('0\n');
    expect(stderr).toContain('Permission denied');
    await expect(
      nativeLauncher().launch(
        specOf(['/bin/true'], {
          restrict: { noNewPrivileges: true, landlock: { fs: [{ path: '/etc', allow: ['read'] }] } },
        }),
      ),
    ).rejects.toMatchObject({ stage: 'exec', errno: 'EACCES' });
  });

  it('allows only the named TCP ports', async () => {
    const servers = await Promise.all([listen(), listen()]);
    const [allowed = 0, refused = 0] = servers.map(({ port }) => port);
    try {
      const attempt = (port: number) =>
        `(exec 3<>/dev/tcp/127.0.0.1/${port}) 2>/dev/null && echo yes || echo no`;
      const { stdout } = await sh(`${attempt(allowed)}; ${attempt(refused)}`, {
        noNewPrivileges: true,
        landlock: { tcp: { bind: [], connect: [allowed] } },
      });
      expect(stdout).toBe('yes\nno\n');
    } finally {
      for (const { server } of servers) server.close();
    }
  });

  it('keeps from signalling processes outside', async () => {
    const { stdout } = await sh(
      `kill -0 ${process.pid} 2>/dev/null && echo yes || echo no; sleep 5 & kill $! && echo own`,
      {
        noNewPrivileges: true,
        landlock: { scope: { signals: true } },
      },
    );
    expect(stdout).toBe('no\nown\n');
  });

  it('that the kernel cannot give fails the launch', async () => {
    const restrict = { noNewPrivileges: true, landlock: { fs: [systemRead], minimumAbi: 99 } } as const;
    for (const io of [openPipe, pty]) {
      await expect(nativeLauncher().launch(specOf(['true'], { restrict, io }))).rejects.toMatchObject({
        stage: 'restrict',
        errno: 'EOPNOTSUPP',
      });
    }
  });
});

describe('seccomp', () => {
  it('refuses the system calls of the program it is given', async () => {
    const { stdout, stderr } = await sh('mkdir open/made; echo $?; cat shut/secret', {
      noNewPrivileges: true,
      seccompProgram: denyMkdir(),
    });
    expect(stdout).toBe('1\nsecret');
    expect(stderr).toContain('Operation not permitted');
  });

  it('refuses a broken program', async () => {
    for (const seccompProgram of [Buffer.alloc(7), Buffer.alloc(16)]) {
      const restrict = { noNewPrivileges: true, seccompProgram };
      await expect(nativeLauncher().launch(specOf(['true'], { restrict }))).rejects.toMatchObject({
        stage: 'restrict',
        errno: 'EINVAL',
      });
    }
  });
});

describe('the pure-Node path', () => {
  it('refuses restrictions that it cannot apply', async () => {
    const launcher = createLauncher({ launcherProgram: null });
    for (const restrict of [{ noNewPrivileges: true }, { rlimits: [] }, { landlock: {} }]) {
      await expect(launcher.launch(specOf(['true'], { restrict }))).rejects.toMatchObject({
        stage: 'restrict',
        errno: 'EOPNOTSUPP',
      });
    }
    await expect(
      launcher.launch(specOf(['true'], { restrict: { noNewPrivileges: false } })),
    ).resolves.toBeDefined();
  });
});

function listen(): Promise<{ server: Server; port: number }> {
  return new Promise((resolve) => {
    const server = createServer((socket) => socket.destroy());
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve({ server, port: typeof address === 'object' && address !== null ? address.port : 0 });
    });
  });
}

/** BPF: mkdir and mkdirat give EPERM, everything else is allowed. */
function denyMkdir(): Buffer {
  const numbers = process.arch === 'x64' ? [83, 258] : [34, 34];
  const instructions: [number, number, number, number][] = [
    [0x20, 0, 0, 0], // load the number of the system call
    [0x15, 2, 0, numbers[0] ?? 0],
    [0x15, 1, 0, numbers[1] ?? 0],
    [0x06, 0, 0, 0x7fff0000], // allow
    [0x06, 0, 0, 0x00050001], // errno 1
  ];
  const program = Buffer.alloc(instructions.length * 8);
  for (const [index, [code, jumpTrue, jumpFalse, value]] of instructions.entries()) {
    program.writeUInt16LE(code, index * 8);
    program.writeUInt8(jumpTrue, index * 8 + 2);
    program.writeUInt8(jumpFalse, index * 8 + 3);
    program.writeUInt32LE(value, index * 8 + 4);
  }
  return program;
}

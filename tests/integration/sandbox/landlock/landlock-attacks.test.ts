// What Landlock does not know: attributes of files, limits and priorities of processes, terminals, sockets. Where it is
// the only wall, the filter refuses them; tried against the real kernel, each beside a control that shows it would work.
import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';
import { readOnly, type SandboxPolicy, type WeakerForm, workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SandboxUser, users } from '../support/sandbox-user.js';

const runner = fileURLToPath(new URL('../support/landlock-runner.ts', import.meta.url));
/** Without these Landlock alone is refused at all. */
const needed: WeakerForm[] = ['host-proc', 'root-capabilities'];

/** One line per attempt: its name and `done` or the error. */
const attempts = (script: string): string =>
  `import os, sys, socket, resource, fcntl, ctypes
def attempt(name, action):
    try:
        action()
        print(name, 'done')
    except OSError as error:
        print(name, error.errno)
def call(name, *args):
    ctypes.set_errno(0)
    if getattr(libc, name)(*args) == -1:
        raise OSError(ctypes.get_errno(), name)
libc = ctypes.CDLL(None, use_errno=True)
secret, other = sys.argv[1], int(sys.argv[2])
${script}`;

const attributes = attempts(`
attempt('chmod', lambda: os.chmod(secret, 0o777))
attempt('fchmod', lambda: os.fchmod(os.open(secret, os.O_RDONLY), 0o777))
attempt('chown', lambda: os.chown(secret, os.getuid(), os.getgid()))
attempt('lchown', lambda: os.lchown(secret, os.getuid(), os.getgid()))
attempt('fchown', lambda: os.fchown(os.open(secret, os.O_RDONLY), os.getuid(), os.getgid()))
attempt('utime', lambda: os.utime(secret, (1, 1)))
attempt('setxattr', lambda: os.setxattr(secret, 'user.planted', b'x'))
attempt('fsetxattr', lambda: os.setxattr(os.open(secret, os.O_RDONLY), 'user.planted', b'x'))
attempt('removexattr', lambda: os.removexattr(secret, 'user.mark'))
attempt('setflags', lambda: fcntl.ioctl(os.open(secret, os.O_RDONLY), 0x40086602, b'\\x80' + b'\\0' * 7))
`);

const processes = attempts(`
attempt('prlimit', lambda: resource.prlimit(other, resource.RLIMIT_CORE, (0, 0)))
attempt('affinity', lambda: os.sched_setaffinity(other, os.sched_getaffinity(other)))
attempt('scheduler', lambda: os.sched_setscheduler(other, os.SCHED_BATCH, os.sched_param(0)))
attempt('param', lambda: os.sched_setparam(other, os.sched_param(0)))
attempt('priority', lambda: os.setpriority(os.PRIO_PROCESS, other, 15))
attempt('priority of a user', lambda: os.setpriority(os.PRIO_USER, os.getuid(), 15))
attempt('signal', lambda: os.kill(other, 0))
attempt('shared memory', lambda: call('shmget', 4711, 16, 0o1600))
attempt('message queue', lambda: call('msgget', 4711, 0o1600))
attempt('semaphore', lambda: call('semget', 4711, 1, 0o1600))
`);

const own = attempts(`
attempt('limit', lambda: resource.prlimit(0, resource.RLIMIT_CORE, (0, 0)))
attempt('affinity', lambda: os.sched_setaffinity(0, os.sched_getaffinity(0)))
attempt('nice', lambda: os.nice(1))
attempt('pair', lambda: (lambda pair: pair[0].send(b'x'))(socket.socketpair()))
attempt('read', lambda: open(secret).read())
`);

const sockets = attempts(`
def connect(path):
    socket.socket(socket.AF_UNIX).connect(path)
attempt('unix', lambda: connect(secret))
attempt('tcp', lambda: socket.socket(socket.AF_INET).close())
attempt('datagram pair', lambda: socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].connect(secret))
`);

const terminal = attempts(`
attempt('foreign', lambda: os.open('/dev/pts/' + str(other), os.O_RDWR | os.O_NOCTTY))
attempt('foreign to read', lambda: os.open('/dev/pts/' + str(other), os.O_RDONLY | os.O_NOCTTY))
attempt('foreign through /proc', lambda: os.open('/proc/' + str(os.getppid()) + '/root/dev/pts/' + str(other), os.O_RDONLY | os.O_NOCTTY))
attempt('another device', lambda: os.open('/dev/ptmx', os.O_RDONLY | os.O_NOCTTY))
attempt('null', lambda: os.open('/dev/null', os.O_RDWR))
attempt('own', lambda: os.write(os.open('/dev/tty', os.O_RDWR), b''))
attempt('own by name', lambda: os.write(os.open(os.ttyname(0), os.O_RDWR | os.O_NOCTTY), b''))
attempt('own by stdout', lambda: os.open('/dev/stdout', os.O_WRONLY))
attempt('discipline', lambda: fcntl.ioctl(0, 0x5423, b'\\0' * 4))
`);

function outcome(text: string): Record<string, string> {
  const lines = text.trim().split(/\r?\n/);
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), line.slice(line.lastIndexOf(' ') + 1)]),
  );
}
const allOf = (text: string) => [...new Set(Object.values(outcome(text)))];

describe.each(users)('landlock alone, as %s', (_name, uid) => {
  let user: SandboxUser;
  let ws: string;
  let secret: string;
  let bystander: ChildProcess;
  let server: Server;
  let folder: string;
  beforeAll(async () => {
    user = new SandboxUser(uid, runner);
    ws = user.directory();
    const outside = user.directory();
    secret = `${outside}/secret`;
    await user.host(
      outside,
      'umask 077; echo secret > secret; setfattr -n user.mark -v x secret 2>/dev/null; true',
    );
    const asUser =
      uid === process.getuid?.() ? [] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`, '--clear-groups'];
    const [program = '', ...args] = [...asUser, 'sleep', '1000'];
    bystander = spawn(program, args, { stdio: 'ignore' });
    folder = mkdtempSync('/var/tmp/sandbox-test-');
    chmodSync(folder, 0o755);
    server = createServer((socket) => socket.end()).listen(`${folder}/control`);
    await new Promise((resolve) => server.once('listening', resolve));
    chmodSync(`${folder}/control`, 0o777);
    chownSync(`${folder}/control`, uid, uid);
  });
  afterAll(async () => {
    bystander.kill('SIGKILL');
    server.close();
    rmSync(folder, { recursive: true, force: true });
    await user.close();
  });
  const python = (
    policy: SandboxPolicy,
    script: string,
    { target = secret, other = bystander.pid ?? 0, accept = needed, terminal: onTerminal = false } = {},
  ) =>
    user.run({
      argv: ['/usr/bin/python3', '-c', script, target, String(other)],
      cwd: ws,
      policy,
      accept,
      ...(onTerminal ? { terminal: true } : {}),
    });
  const control = (script: string, target = secret) => {
    const file = `${ws}/control.py`;
    writeFileSync(file, script);
    return user.host(ws, `/usr/bin/python3 ${file} ${target} ${bystander.pid ?? 0}`);
  };

  it('is refused unless its visible process list is accepted', async () => {
    await expect(python(readOnly(), own, { accept: ['root-capabilities'] })).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      message: expect.stringContaining('host-proc'),
    });
  });

  it('changes no attribute of a file', async () => {
    const before = statSync(secret);
    const { stdout } = await python(readOnly(), attributes);
    expect(allOf(stdout)).toEqual(['1']);
    expect(Object.keys(outcome(stdout))).toHaveLength(10);
    expect(statSync(secret)).toMatchObject({
      mode: before.mode,
      mtimeMs: before.mtimeMs,
      ctimeMs: before.ctimeMs,
    });
    // The same attempts outside: what the filter refuses would work.
    const unconfined = outcome((await control(attributes)).output);
    for (const name of ['chmod', 'fchmod', 'chown', 'utime']) expect(unconfined[name]).toBe('done');
    chmodSync(secret, 0o600);
  });

  it('nor where something may be written, unless that is accepted by name', async () => {
    const policy = workspaceWrite({ temporaryDirectories: false });
    const unprotected: WeakerForm[] = [...needed, 'unprotected-metadata'];
    expect(allOf((await python(policy, attributes, { accept: unprotected })).stdout)).toEqual(['1']);
    const accepted = await python(policy, attributes, { accept: [...unprotected, 'host-attributes'] });
    expect(outcome(accepted.stdout)).toMatchObject({ chmod: 'done', utime: 'done' });
    chmodSync(secret, 0o600);
  });

  it('touches no limit, priority or affinity of another process, and no memory shared with one', async () => {
    const { stdout } = await python(readOnly(), processes);
    expect(allOf(stdout)).toEqual(['1']);
    expect(Object.keys(outcome(stdout))).toHaveLength(10);
    const unconfined = outcome((await control(processes)).output);
    for (const name of ['prlimit', 'affinity', 'scheduler', 'priority', 'signal', 'shared memory'])
      expect([name, unconfined[name]]).toEqual([name, 'done']);
    await user.host(ws, 'ipcrm -M 4711 -Q 4711 -S 4711');
  });

  it('but its own', async () => {
    expect(allOf((await python(readOnly(), own)).stdout)).toEqual(['done']);
  });

  it('reaches no unix socket of the host with the network on, unless that is accepted by name', async () => {
    const target = `${folder}/control`;
    for (const unixSockets of ['none', 'host'] as const) {
      const policy = readOnly({ network: 'enabled', unixSockets });
      expect(outcome((await python(policy, sockets, { target })).stdout)).toEqual({
        unix: '1',
        tcp: 'done',
        'datagram pair': '1',
      });
    }
    const open = readOnly({ network: 'enabled', unixSockets: 'host' });
    const accepted = await python(open, sockets, { target, accept: [...needed, 'host-sockets'] });
    expect(outcome(accepted.stdout)['unix']).toBe('done');
    expect(outcome((await control(sockets, target)).output)['unix']).toBe('done');
  });

  it('opens its own terminal and no other', async () => {
    const holder = spawn(
      '/usr/bin/python3',
      [
        '-c',
        `import os, sys, time; m, s = os.openpty(); os.chown(os.ttyname(s), ${uid}, -1); os.chmod(os.ttyname(s), 0o600); print(os.ttyname(s).split('/')[-1], flush=True); time.sleep(1000)`,
      ],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    try {
      const number = await new Promise<string>((resolve) =>
        holder.stdout.setEncoding('utf8').once('data', (text) => resolve(text.trim())),
      );
      const { stdout } = await python(readOnly(), terminal, { other: Number(number), terminal: true });
      expect(outcome(stdout)).toEqual({
        foreign: '13',
        'foreign to read': '13',
        'foreign through /proc': '13',
        'another device': '13',
        null: 'done',
        own: 'done',
        'own by name': 'done',
        'own by stdout': 'done',
        discipline: '1',
      });
    } finally {
      holder.kill('SIGKILL');
    }
  });
});

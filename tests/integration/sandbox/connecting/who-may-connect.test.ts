// A sandboxed command with the network against a listener that is not the server of that sandbox, with real sandboxes,
// as root and as an ordinary user.
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { workspaceWrite } from '@codex/sandbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programForAnyone } from '../../program-for-anyone.js';
import { NOBODY, SandboxUser, users } from '../support/sandbox-user.js';

const listenerProgram = fileURLToPath(new URL('./support/listener-program.ts', import.meta.url));
const connecting = readFileSync(new URL('./support/connecting-program.py', import.meta.url), 'utf8');

const PATH = '/usr/local/bin:/usr/bin:/bin';

/** A user of its own, so that no other process is in the way. */
const loneUser = 64_419;
const owners = users.map(([name, uid]) => [name, uid === NOBODY ? loneUser : uid] as const);

/** Listens on a unix socket and never accepts. */
const inattentive = `import socket, sys, time
s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(5); print("ready", flush=True); time.sleep(120)`;

function asUser(uid: number, argv: readonly string[]): ChildProcess {
  const become = process.getuid?.() === uid ? ['env'] : ['setpriv', `--reuid=${uid}`, `--regid=${uid}`];
  const groups = process.getuid?.() === uid ? [] : ['--clear-groups'];
  return spawn(become[0] ?? '', [...become.slice(1), ...groups, ...argv], {
    cwd: '/',
    env: { PATH },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
}

/** What is left of earlier sandboxes could be taken for one that holds a connection. */
async function untilNoZombies(uid: number): Promise<void> {
  const isZombie = (pid: string): boolean => {
    try {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return /^State:\s+Z/m.test(status) && new RegExp(`^Uid:\\s+${uid}\\s`, 'm').test(status);
    } catch {
      return false;
    }
  };
  while (readdirSync('/proc').some((name) => /^\d+$/.test(name) && isZombie(name))) {
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function printed(child: ChildProcess): Promise<string> {
  let text = '';
  child.stdout?.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  return new Promise((resolve) => child.once('close', () => resolve(text)));
}

const firstLine = (child: ChildProcess): Promise<string> =>
  new Promise((resolve) => createInterface({ input: child.stdout ?? process.stdin }).once('line', resolve));

describe.each(owners)('a server of %s', (_name, uid) => {
  const children: ChildProcess[] = [];
  const log: string[] = [];
  let user: SandboxUser;
  let workspace = '';
  let port = '';

  const start = (...argv: readonly string[]): ChildProcess => {
    const child = asUser(uid, argv);
    children.push(child);
    return child;
  };
  const sandboxed = async (...args: string[]): Promise<string> => {
    // Only these two show nothing of themselves. Root sees everything in any case.
    if (uid !== 0 && /own-table|in-flight/.test(args[0] ?? '')) await untilNoZombies(uid);
    const { stdout, stderr } = await user.run({
      argv: ['python3', '-c', connecting, ...args],
      cwd: workspace,
      policy: workspaceWrite({ temporaryDirectories: false, network: 'enabled' }),
      env: { PATH },
      timeoutMs: 40_000,
    });
    return `${stdout}${stderr}`;
  };
  const outside = (mode: string): Promise<string> => printed(start('python3', '-c', connecting, mode, port));
  const lookedAt = async (connections: number): Promise<void> => {
    while (log.length < connections) await new Promise((resolve) => setTimeout(resolve, 20));
  };

  beforeAll(async () => {
    user = await new SandboxUser(uid).ready();
    workspace = user.directory();
    const listener = start(process.execPath, programForAnyone(listenerProgram));
    const lines = createInterface({ input: listener.stdout ?? process.stdin });
    port = await new Promise((resolve) => lines.once('line', resolve));
    lines.on('line', (line) => log.push(line));
    // Every server of ours has such processes: its supervisors hide themselves.
    await firstLine(start('python3', '-c', connecting, 'wait', port));
  });
  afterAll(async () => {
    for (const child of children) child.kill('SIGKILL');
    await user.close();
  });

  it.each(['plain', 'hidden', 'own-table', 'in-flight', 'handed-on'])(
    'refuses a sandboxed command: %s',
    async (mode) => {
      log.length = 0;
      expect(await sandboxed(mode, port)).toMatch(/^HTTP\/1.1 403 .*from inside a sandbox are refused/s);
      expect(log).toEqual(['refused 403']);
    },
  );

  it('refuses a connection that a sandboxed command left with somebody outside before it ended', async () => {
    const path = `${workspace}/inattentive`;
    await firstLine(start('python3', '-c', inattentive, path));
    log.length = 0;
    // A sandbox of another maker, which lets unix sockets through.
    const view = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid'];
    const other = start('bwrap', ...view, 'python3', '-c', connecting, 'parked', port, path);
    expect(await new Promise((resolve) => other.once('close', resolve))).toBe(0);
    await lookedAt(1);
    expect(log).toEqual(['refused 403']);
  });

  it('lets clients outside of every sandbox in, whoever else is there', async () => {
    expect(await outside('plain')).toMatch(/^HTTP\/1.1 101 /);
    expect(await outside('own-table')).toMatch(/^HTTP\/1.1 101 /);
    const confined = sandboxed('wait', port, `${workspace}/ready`);
    while (!existsSync(`${workspace}/ready`)) await new Promise((resolve) => setTimeout(resolve, 20));
    await firstLine(start('setpriv', '--no-new-privs', 'python3', '-c', connecting, 'wait', port));
    expect(await outside('plain')).toMatch(/^HTTP\/1.1 101 /);
    expect(await outside('hidden-with-witness')).toMatch(/^HTTP\/1.1 101 /);
    await user.kill();
    await confined.catch(() => undefined);
  });

  it('lets a client that hides itself in where it can be seen all the same, and says what to do elsewhere', async () => {
    const answer = await outside('hidden');
    if (uid === 0) expect(answer).toMatch(/^HTTP\/1.1 101 /);
    else expect(answer).toMatch(/^HTTP\/1.1 403 .*hides .*websocket auth/s);
  });

  it.runIf(uid === 0)('is the same as process 1 of a container', async () => {
    const container = start(
      ...['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'],
      ...[process.execPath, programForAnyone(listenerProgram)],
    );
    const inside = await firstLine(container);
    const init = readFileSync(`/proc/${container.pid}/task/${container.pid}/children`, 'utf8').trim();
    const enter = ['nsenter', '--target', init, '--pid', '--mount', '--'];
    const view = ['bwrap', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--unshare-pid', '--'];
    // Its child is left to process 1, which does not expect it.
    await printed(start(...enter, ...view, 'sh', '-c', 'sleep 0.1 &'));
    const connect = ['python3', '-c', connecting, 'plain', inside];
    expect(await printed(start(...enter, ...connect))).toMatch(/^HTTP\/1.1 101 /);
    expect(await printed(start(...enter, ...view, ...connect))).toMatch(/^HTTP\/1.1 403 /);
  });
});

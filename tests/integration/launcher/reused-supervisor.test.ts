// A supervisor that serves one command after another: nothing of one reaches the next.
import { closeSync, openSync, readdirSync, readFileSync, readSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createLauncher, type Launcher } from './support/launcher-under-test.js';
import {
  openPipe,
  PATH,
  processesWith,
  pty,
  run,
  specOf,
  uniqueSleep,
  until,
} from './support/run-command.js';

const ownPidNamespace = true;
const supervisor = ['sh', '-c', 'echo $PPID'];

function newLauncher(): Launcher {
  const launcher = createLauncher();
  onTestFinished(() => launcher.close());
  return launcher;
}

async function supervisorOf(launcher: Launcher, more: object = { ownPidNamespace }): Promise<number> {
  return Number.parseInt((await run(launcher, supervisor, more)).stdout, 10);
}

describe('a supervisor', () => {
  it('serves again when its command could not reach it, and only then', async () => {
    const launcher = newLauncher();
    const seen = new Set<number>();
    for (let round = 0; round < 10; round += 1) seen.add(await supervisorOf(launcher));
    // The first, and one that was born beside it.
    expect(seen.size).toBeLessThanOrEqual(2);
    const plain = new Set<number>();
    for (let round = 0; round < 5; round += 1) plain.add(await supervisorOf(launcher, {}));
    expect(plain.size).toBe(5);
  });

  it('is not used again after its tree was killed, or when it was lost', async () => {
    const launcher = newLauncher();
    const killed = await launcher.launch(specOf(['sleep', '60'], { ownPidNamespace }));
    killed.killTree();
    await killed.treeGone;
    const lost = await launcher.launch(specOf(['sh', '-c', 'sleep 0.1; kill -9 $PPID'], { ownPidNamespace }));
    expect(await lost.exited).toMatchObject({ supervisorLost: true });
    await lost.treeGone;
    for (let round = 0; round < 4; round += 1) expect(await supervisorOf(launcher)).toBeGreaterThan(0);
  });

  it('does not take orders for the command before as its next launch', async () => {
    const launcher = newLauncher();
    for (let round = 0; round < 60; round += 1) {
      const launched = await launcher.launch(specOf(['true'], { ownPidNamespace, io: openPipe }));
      const orders = setInterval(() => {
        launched.signal('SIGUSR1', 'descendants');
        launched.resize(1, 1);
      }, 0);
      await launched.treeGone;
      clearInterval(orders);
      launched.signal('SIGKILL');
      launched.killTree();
      const { stdout, status } = await run(launcher, ['sh', '-c', 'sleep 0.005; echo fine'], {
        ownPidNamespace,
      });
      expect({ stdout, status }).toEqual({ stdout: 'fine\n', status: { code: 0, signal: null } });
    }
  });

  it('shows the next command nothing of the one before', async () => {
    const launcher = newLauncher();
    const secret = `secret-${process.pid}-${'x'.repeat(40)}`;
    const inheritFds = [
      { data: Buffer.from(secret), as: 5 },
      { path: '/usr', as: 6 },
      { report: true, as: 7 },
    ] as const;
    const first = await run(launcher, supervisor, {
      ownPidNamespace,
      io: openPipe,
      env: { PATH, SECRET: secret },
      inheritFds,
      restrict: { noNewPrivileges: true, rlimits: [{ resource: 'nofile', soft: 77, hard: 77 }] },
    });
    const pid = Number(first.stdout);
    const open = readdirSync(`/proc/${pid}/fd`);
    expect(open.map(Number)).toEqual([0, 1, 2, 3, 4, 5, 8, 9]);
    expect(memoryOf(pid)).not.toContain(secret);
    await until(() => processesWith(secret).length === 0, 'nothing names it');
    const script = 'echo $PPID; ulimit -n; grep NoNewPrivs /proc/self/status; ls /proc/self/fd; env';
    // Several at once: one alone may always be given the supervisor that was born beside it.
    const together = () =>
      Promise.all([1, 2, 3].map(() => run(launcher, ['sh', '-c', script], { ownPidNamespace })));
    let output = '';
    for (let round = 0; round < 4 && output === ''; round += 1) {
      output = (await together()).find(({ stdout }) => stdout.startsWith(`${pid}\n`))?.stdout ?? '';
    }
    expect(output).toMatch(new RegExp(`^${pid}\\n(?!77\\n)\\d+\\nNoNewPrivs:\\t0\\n0\\n1\\n2\\n3\\n`));
    expect(output).not.toContain('SECRET');
  });

  it('gives each command a standard input of its own: flags and locks stay with the one that set them', async () => {
    const launcher = newLauncher();
    const flags = 'grep flags: /proc/self/fdinfo/0';
    const script = `${flags}; dd iflag=nonblock count=0 status=none; flock -n 0 && ${flags}; grep -c lock: /proc/self/fdinfo/0; echo $PPID`;
    const seen: string[][] = [];
    for (let round = 0; round < 6; round += 1)
      seen.push((await run(launcher, ['sh', '-c', script], { ownPidNamespace })).stdout.trim().split('\n'));
    expect(new Set(seen.map((lines) => lines.at(-1))).size).toBeLessThan(seen.length);
    const [before, after] = seen[0] ?? [];
    expect(after).not.toBe(before);
    for (const lines of seen) expect(lines.slice(0, 3)).toEqual([before, after, '1']);
  });

  it('keeps no descriptor and little memory over many commands', async () => {
    const launcher = newLauncher();
    const large = 'x'.repeat(100_000);
    const env = Object.fromEntries(Array.from({ length: 15 }, (_, index) => [`V${index}`, large]));
    const pid = await supervisorOf(launcher);
    for (let round = 0; round < 30; round += 1) {
      await run(launcher, ['true'], { ownPidNamespace, env: { PATH, ...env } });
      await run(launcher, ['true'], { ownPidNamespace, inheritFds: [{ report: true, as: 9 }] });
    }
    expect(readdirSync(`/proc/${pid}/fd`).length).toBe(8);
    const resident = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))?.[1]);
    expect(resident).toBeLessThan(2048);
  });

  it('on a terminal serves once', async () => {
    const launcher = newLauncher();
    const seen = new Set<string>();
    for (let round = 0; round < 4; round += 1)
      seen.add((await run(launcher, supervisor, { ownPidNamespace, io: pty })).pty);
    expect(seen.size).toBe(4);
  });

  it('that waits ends with close(), and the tree of its next command with the launch', async () => {
    const launcher = createLauncher();
    const first = await supervisorOf(launcher);
    const token = uniqueSleep();
    const again = await launcher.launch(specOf(['sh', '-c', `sleep ${token}; :`], { ownPidNamespace }));
    await until(() => processesWith(token).length > 0, 'it runs');
    again.killTree();
    await again.treeGone;
    expect(processesWith(token)).toEqual([]);
    launcher.close();
    await until(() => processesWith('codex-launcher').every((pid) => pid !== first), 'it is gone');
  });
});

/** The heap of a process, which is where records lie. */
function memoryOf(pid: number): string {
  const maps = readFileSync(`/proc/${pid}/maps`, 'latin1');
  const [, from = '0', to = '0'] = /^([0-9a-f]+)-([0-9a-f]+) .*\[heap\]$/m.exec(maps) ?? [];
  const [start, end] = [Number.parseInt(from, 16), Number.parseInt(to, 16)];
  expect(end).toBeGreaterThan(start);
  return readSlice(`/proc/${pid}/mem`, start, end - start);
}

function readSlice(path: string, start: number, length: number): string {
  const fd = openSync(path, 'r');
  try {
    const buffer = Buffer.alloc(length);
    return buffer.toString('latin1', 0, readSync(fd, buffer, 0, length, start));
  } finally {
    closeSync(fd);
  }
}

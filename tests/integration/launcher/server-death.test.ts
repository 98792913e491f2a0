// Nothing survives the server, and nothing its supervisor.
import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { infoOf, isAlive, nurseriesOf, supervisorsOf } from './support/launcher-processes.js';
import { createLauncher, nativeLauncher } from './support/launcher-under-test.js';
import {
  closedPipe,
  collect,
  processesWith,
  pty,
  specOf,
  uniqueSleep,
  until,
} from './support/run-command.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const servers: ChildProcess[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.kill('SIGKILL');
});

function startServer(io: string, token: string): ChildProcess {
  const script = fileURLToPath(new URL('./fixtures/doomed-server.ts', import.meta.url));
  const server = spawn(
    process.execPath,
    ['--conditions=@codex/source', '--import', 'tsx', script, io, token],
    {
      cwd: root,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  servers.push(server);
  return server;
}

const treeOf = (token: string, server: ChildProcess): number[] =>
  processesWith(token).filter((pid) => pid !== server.pid);

const isStopped = (pid: number): boolean => infoOf(pid)?.state === 'T';

async function killNurseries(server: ChildProcess): Promise<void> {
  const nurseries = nurseriesOf(server.pid ?? 0);
  expect(nurseries).toHaveLength(1);
  for (const pid of nurseries) process.kill(pid, 'SIGKILL');
  await until(() => !nurseries.some(isAlive), 'the nursery is gone');
}

describe('kill -9 of the server', () => {
  it.each([
    'pipe',
    'pty',
    'worker',
    'stopped',
    'reused',
    'pipe, nursery killed',
    'stopped, nursery killed',
    'pipe, nursery stopped',
    'stopped, nursery stopped',
    ...(process.getuid?.() === 0 ? ['held', 'held, nursery killed', 'robbed', 'filled'] : []),
  ])('leaves no survivor (%s)', async (what) => {
    const token = uniqueSleep();
    const [io = '', nursery] = what.split(', nursery ');
    const server = startServer(io, token);
    await until(() => treeOf(token, server).length >= 3, 'the tree is up', 30_000);
    const ours = [...nurseriesOf(server.pid ?? 0), ...supervisorsOf(server.pid ?? 0)];
    if (nursery === 'killed') await killNurseries(server);
    if (nursery === 'stopped') for (const pid of nurseriesOf(server.pid ?? 0)) process.kill(pid, 'SIGSTOP');
    const supervisors = ours.filter((pid) => !nurseriesOf(server.pid ?? 0).includes(pid));
    // Its guardian, the nursery, would wake it at once.
    if (io === 'stopped' && nursery !== undefined)
      await until(() => supervisors.some(isStopped), 'the supervisor is stopped');
    if (io === 'robbed') await new Promise((resolve) => setTimeout(resolve, 500)); // orders are under way
    if (io === 'filled') {
      await until(() => isStopped(server.pid ?? 0), 'the server reads no reports');
      await until(
        () => treeOf(token, server).length === 3,
        'the command has ended, which cannot be reported',
      );
    }
    server.kill('SIGKILL');
    await until(() => processesWith(token).length === 0, 'everything is gone', 3000);
    await until(() => !ours.some(isAlive), 'the launcher is gone', 3000);
  });
});

describe('kill -9 of a supervisor and of its guardian', () => {
  it('ends the command itself', async () => {
    const token = uniqueSleep();
    const launcher = createLauncher();
    onTestFinished(() => launcher.close());
    const before = new Set(supervisorsOf(process.pid));
    const nurseries = new Set(nurseriesOf(process.pid));
    const launched = await launcher.launch(specOf(['sleep', token], { io: closedPipe }));
    const supervisor = Number(
      /^PPid:\s+(\d+)$/m.exec(readFileSync(`/proc/${launched.pid}/status`, 'latin1'))?.[1],
    );
    expect([before.has(supervisor), isAlive(supervisor)]).toEqual([false, true]);
    const guardian = nurseriesOf(process.pid).filter((pid) => !nurseries.has(pid));
    expect(guardian).toHaveLength(1);
    for (const pid of [...guardian, supervisor]) process.kill(pid, 'SIGKILL');
    await until(() => processesWith(token).length === 0, 'the command is gone', 3000);
    expect(await launched.exited).toMatchObject({ supervisorLost: true });
  });
});

describe('kill -9 of a supervisor', () => {
  it.each([
    ['pipe', closedPipe],
    ['pty', pty],
  ] as const)('ends the command and its session, and is told (%s)', async (_name, io) => {
    const token = uniqueSleep();
    const script = `trap '' HUP; sleep ${token} & (sleep ${token} &) ; setsid sleep ${token} & sleep ${token} & sleep 0.2; kill -9 $PPID; sleep ${token}`;
    const launched = await nativeLauncher().launch(specOf(['bash', '-c', script], { io }));
    const output = collect(launched);
    expect(await launched.exited).toEqual({ code: null, signal: 'SIGKILL', supervisorLost: true });
    await launched.treeGone;
    await until(() => processesWith(token).length === 0, 'everything is gone', 3000);
    await output.ended;
  });
});

/** Nothing survives the server, and little survives a supervisor. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it } from 'vitest';
import { nativeLauncher } from './launcher-under-test.js';
import { closedPipe, collect, processesWith, pty, specOf, uniqueSleep, until } from './run-command.js';

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

function supervisorIsStopped(server: ChildProcess): boolean {
  const table = spawnSync('ps', ['-o', 'stat=,comm=', '--ppid', String(server.pid)], { encoding: 'utf8' });
  return /^T.*codex-launcher$/m.test(table.stdout);
}

describe('kill -9 of the server', () => {
  it.each(['pipe', 'pty', 'worker', 'stopped', 'reused'])('leaves no survivor (%s)', async (io) => {
    const token = uniqueSleep();
    const server = startServer(io, token);
    await until(() => treeOf(token, server).length >= 3, 'the tree is up', 30_000);
    if (io === 'stopped') await until(() => supervisorIsStopped(server), 'the supervisor is stopped');
    server.kill('SIGKILL');
    await until(() => processesWith(token).length === 0, 'everything is gone', 3000);
  });
});

describe('kill -9 of a supervisor', () => {
  it.each([
    ['pipe', closedPipe],
    ['pty', pty],
  ] as const)('ends the command and its session, and is told (%s)', async (_name, io) => {
    const token = uniqueSleep();
    const script = `trap '' HUP; sleep ${token} & (sleep ${token} &) ; sleep ${token} & sleep 0.2; kill -9 $PPID; sleep ${token}`;
    const launched = await nativeLauncher().launch(specOf(['bash', '-c', script], { io }));
    const output = collect(launched);
    expect(await launched.exited).toEqual({ code: null, signal: 'SIGKILL', supervisorLost: true });
    await launched.treeGone;
    await until(() => processesWith(token).length === 0, 'everything is gone', 3000);
    await output.ended;
  });
});

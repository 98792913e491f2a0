// The end of the server does not depend on what a command has done to the processes that guard it.
import { fileURLToPath } from 'node:url';
import { ExecServerClient } from '@codex/exec-client';
import { expect, it } from 'vitest';
import { processesWith, uniqueSleep, until } from '../../launcher/support/run-command.js';
import { ExecServerProgram } from '../support/exec-server-program.js';

const KEEP_ALIVE = fileURLToPath(new URL('../support/keep-alive.cjs', import.meta.url));
const ARGS = ['exec-server', '--quiet', '--no-config', '--shutdown-grace-period-ms', '200'];

it.each([
  ['pipe', false],
  ['terminal', true],
])(
  'ends when a command on a %s has stopped its guardian and killed its supervisor',
  async (_name, tty) => {
    await using server = new ExecServerProgram(ARGS);
    const client = await ExecServerClient.connect(await server.url());
    const token = uniqueSleep();
    const script = `(setsid sleep ${token} >/dev/null 2>&1 &); S=$PPID; G=$(cut -d" " -f4 /proc/$S/stat); sleep 0.3; kill -STOP $G; kill -9 $S; sleep 5`;
    await client.spawn(['sh', '-c', script], { tty });
    await until(() => processesWith(`sleep\0${token}`).length === 1, 'the daemon is up');
    await until(() => processesWith(token).length === 0, 'the daemon is gone', 5000);
    server.child.kill('SIGTERM');
    expect(await server.exited).toEqual({ code: 0, signal: null });
  },
  15_000,
);

it('ends although something keeps its event loop alive', async () => {
  await using server = new ExecServerProgram(ARGS, { env: { NODE_OPTIONS: `--require=${KEEP_ALIVE}` } });
  await server.url();
  server.child.kill('SIGTERM');
  expect(await server.exited).toEqual({ code: 0, signal: null });
}, 10_000);

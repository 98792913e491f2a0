// Many at once of what is cheap alone: lost supervisors, and requests that wait for one process.
import { readFileSync } from 'node:fs';
import { ExecServerClient } from '@codex/exec-client';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import { Bystander } from '../support/bystander.js';
import { patienceMs, rounds } from '../support/intensity.js';
import { record } from '../support/record.js';
import { ServerUnderAttack, TOKEN } from '../support/server-under-attack.js';

const SUPERVISORS = rounds({ short: 40, full: 200 });
const WAITING = rounds({ short: 1000, full: 4000 });

function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

it(
  'supervisors that are killed together are told of, one by one, and leave nothing',
  async () => {
    const server = await ServerUnderAttack.start();
    const bystander = await Bystander.watch(server.url);
    onTestFinished(() => bystander.stop());
    const client = await ExecServerClient.connect(server.url, { token: TOKEN });
    const script = 'sleep 1000 & echo $$ $!; wait';
    const processes = await Promise.all(
      Array.from({ length: SUPERVISORS }, () => client.spawn(['sh', '-c', script])),
    );
    const matches = await Promise.all(processes.map((each) => each.waitFor(/(\d+) (\d+)\n/)));
    const pairs = matches.map(({ match: [, shell, sleep] }) => ({
      shell: Number(shell),
      sleep: Number(sleep),
    }));
    const shells = pairs.map(({ shell }) => shell);
    const sleeping = pairs.map(({ sleep }) => sleep);
    bystander.longestWaitMs = 0;
    for (const supervisor of shells.map(parentOf)) process.kill(supervisor, 'SIGKILL');
    const ends = await Promise.all(processes.map((each) => each.wait()));
    expect(new Set(ends.map(({ kind }) => kind))).toEqual(new Set(['lost']));
    await expect.poll(() => [...sleeping, ...shells].filter(isAlive), { timeout: 10_000 }).toEqual([]);
    expect(server.isAlive).toBe(true);
    record('lost supervisors', {
      supervisors: SUPERVISORS,
      longestWaitOfAnotherMs: bystander.longestWaitMs,
    });
    await client.close();
  },
  patienceMs,
);

it(
  'requests that wait for one process are all answered, once each',
  async () => {
    const server = await ServerUnderAttack.start();
    const bystander = await Bystander.watch(server.url);
    onTestFinished(() => bystander.stop());
    const socket = new WebSocket(server.url, {
      perMessageDeflate: false,
      headers: { authorization: `Bearer ${TOKEN}` },
    });
    onTestFinished(() => socket.terminate());
    await new Promise<void>((resolve, reject) => socket.once('open', resolve).once('error', reject));
    const answers = new Map<number, number>();
    socket.on('message', (data: Buffer) => {
      const { id } = JSON.parse(data.toString()) as { id?: number };
      if (id !== undefined) answers.set(id, (answers.get(id) ?? 0) + 1);
    });
    const send = (message: unknown): void => socket.send(JSON.stringify(message));
    send({ id: 0, method: 'initialize', params: { clientName: 'crowd' } });
    send({ method: 'initialized' });
    const argv = ['sh', '-c', 'read go; i=0; while [ $i -lt 500 ]; do echo $i; i=$((i+1)); done'];
    const start = { processId: 'p', argv, cwd: 'file:///tmp', env: { PATH: '/usr/bin:/bin' }, tty: false };
    send({ id: 1, method: 'process/start', params: { ...start, pipeStdin: true, arg0: null } });
    for (let index = 0; index < WAITING; index += 1) {
      const isRead = index % 2 === 0;
      const params = isRead ? { processId: 'p', waitMs: 600_000 } : { processId: 'p', until: 'closed' };
      send({ id: 10 + index, method: isRead ? 'process/read' : 'process/wait', params });
    }
    send({ id: 2, method: 'process/write', params: { processId: 'p', chunk: 'Z28K', writeId: 'go' } });
    await expect.poll(() => answers.size, { timeout: patienceMs / 2 }).toBe(WAITING + 3);
    expect([...answers.values()].every((count) => count === 1)).toBe(true);
    record('waiting requests', { requests: WAITING, longestWaitOfAnotherMs: bystander.longestWaitMs });
  },
  patienceMs,
);

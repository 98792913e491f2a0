// Whatever a tree does to survive, it ends with its process, its session, and its server.
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { ExecServerClient } from '@codex/exec-client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { patienceMs, rounds } from '../support/intensity.js';
import { record } from '../support/record.js';
import { ServerUnderAttack, TOKEN } from '../support/server-under-attack.js';
import { STUBBORN_TREES } from './stubborn-trees.js';

const ROUNDS = rounds({ short: 1, full: 10 });

const ENDS = ['terminate', 'session', 'SIGTERM', 'SIGKILL'] as const;

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}

const described = (pid: string): string => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return `${pid} ${state} of ${parent}: ${readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ')}`;
  } catch {
    return `${pid}, gone meanwhile`;
  }
};

function survivors(marker: string): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && name !== String(process.pid))
    .filter((pid) => {
      try {
        const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
        const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
        return state !== 'Z' && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(marker);
      } catch {
        return false;
      }
    });
}

describe.each(ENDS)('at %s', (end) => {
  it(
    'no tree survives, on a pipe or a terminal',
    async () => {
      for (let round = 0; round < ROUNDS; round++) {
        const server = await ServerUnderAttack.start({
          args: ['--shutdown-grace-period-ms', '200', '--session-ttl-ms', '300'],
        });
        const client = await ExecServerClient.connect(server.url, { token: TOKEN });
        const marker = randomUUID();
        // What survives is a failure of this test and must not become a burden of the next ones.
        onTestFinished(() => {
          for (const pid of survivors(marker)) kill(Number(pid));
        });
        const trees = Object.values(STUBBORN_TREES).flatMap((script) => [
          { script, tty: false },
          { script, tty: true },
        ]);
        // One that attacks its supervisor at once may spoil its own start; then nothing of it may run either.
        const starts = await Promise.allSettled(
          trees.map(({ script, tty }) =>
            client.spawn(['sh', '-c', script], { tty, env: { HOSTILE_TREE: marker } }),
          ),
        );
        await new Promise((resolve) => setTimeout(resolve, 300));
        expect(survivors(marker).length).toBeGreaterThan(trees.length / 2);
        if (end === 'terminate') {
          const processes = starts.flatMap((start) => (start.status === 'fulfilled' ? [start.value] : []));
          await Promise.allSettled(processes.map((each) => each.stop({ graceMs: 0 })));
          await client.close();
        } else if (end === 'session') await client.close();
        else server.child.kill(end);
        await expect.poll(() => survivors(marker).map(described), { timeout: 10_000 }).toEqual([]);
        record(`trees at ${end}`, { trees: trees.length });
        await server.end();
      }
    },
    patienceMs,
  );
});

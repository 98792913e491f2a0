// A process that is lost for another reason than its own end says so, and no call waits for it in vain.
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { allProcesses } from './support/ps.js';
import { serve } from './support/served-server.js';

const isSupervisor = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('codex-launcher');

describe('a process whose supervisor is killed', () => {
  it.each([
    ['a pipe', false],
    ['a pty', true],
  ])('fails, exits and closes, on %s', async (_, tty) => {
    const { client: connect } = await serve();
    const client = await connect({ resumeSessionId: null, lifecycleNotifications: true });
    await client.start('p', ['/bin/sleep', '60'], { tty });
    await client.until(() => client.has('p', 'process/started'));
    const pid = client.eventsOf('p')[0]?.pid ?? 0;
    const supervisor = allProcesses().find((process) => process.pid === pid)?.parent ?? 0;
    expect(isSupervisor(supervisor)).toBe(true);
    process.kill(supervisor, 'SIGKILL');
    await client.untilClosed('p');
    const failed = client.eventsOf('p').find(({ method }) => method === 'process/failed');
    expect(failed?.message).toContain('lost its supervisor');
    expect(await client.call('process/read', { processId: 'p' })).toMatchObject({
      exited: true,
      closed: true,
      failure: failed?.message,
    });
    expect(allProcesses().some((process) => process.pid === pid && process.state !== 'Z')).toBe(false);
  });
});

// Nothing is left: whole trees end with terminate, with their connection, with their session and with the server, and
// only then.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, constants, existsSync, openSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { describe, expect, it, onTestFinished } from 'vitest';
import { survivorsWith } from './support/ps.js';
import { type RawClient, shell } from './support/raw-client.js';
import { serve } from './support/served-server.js';
import { spawnServer } from './support/server-process.js';

/** A background child, one in a session of its own, one forked twice, and one that ignores signals. */
const TREE = `
  (trap '' HUP; exec sleep 300) &
  setsid sleep 301 &
  (setsid sh -c 'sleep 302 & exit' &)
  (trap '' TERM HUP INT; exec setsid sleep 303) &
`;
const DESCENDANTS = 4;

async function startTree(
  client: RawClient,
  processId: string,
  { tty, exits }: { tty: boolean; exits: boolean },
) {
  const value = randomUUID();
  const script = exits
    ? `{ ${TREE} } >/dev/null 2>&1 </dev/null; sleep 0.2; echo ready`
    : `${TREE} echo ready; wait; sleep 300`;
  await client.start(processId, shell(script), { tty, env: { PATH: '/usr/bin:/bin', SURVIVOR_TEST: value } });
  await client.until(() => client.bytesOf(processId).includes('ready'));
  const marker = `SURVIVOR_TEST=${value}`;
  if (exits) await client.untilExited(processId);
  const expected = exits ? DESCENDANTS : DESCENDANTS + 1;
  await expect.poll(() => survivorsWith(marker).length).toBe(expected);
  return marker;
}

function parentOf(pid: number): number {
  const afterName = readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '');
  return Number(afterName.split(' ')[1]);
}

const nameOf = (fd: string): string => {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return ''; // closed meanwhile
  }
};

const descriptorsLike = (fd: number): number =>
  readdirSync('/proc/self/fd').filter((other) => nameOf(other) === nameOf(String(fd))).length;

const gone = (marker: string) => expect.poll(() => survivorsWith(marker)).toEqual([]);

describe.each([
  ['a pipe', false],
  ['a pty', true],
])('a tree on %s', (_, tty) => {
  it('ends with terminate, to the last descendant', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    const marker = await startTree(client, 'p', { tty, exits: false });
    expect(await client.call('process/terminate', { processId: 'p' })).toEqual({ running: true });
    await client.untilClosed('p');
    await gone(marker);
  });

  it('ends with graceful terminate, deaf descendants included', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    const marker = await startTree(client, 'p', { tty, exits: false });
    await client.call('process/terminate', { processId: 'p', mode: { type: 'graceful', timeoutMs: 300 } });
    await gone(marker);
    await client.untilClosed('p');
  });

  it('ends with the connection of a client that cannot come back', async () => {
    const { client: connect } = await serve();
    const client = await connect({});
    const marker = await startTree(client, 'p', { tty, exits: false });
    client.cut();
    await gone(marker);
  });

  it('outlives its command until the session ends: terminate leaves background children alone', async () => {
    const { client: connect } = await serve({
      session: { sessionTtlMs: 300 },
      process: { exitedProcessRetentionMs: 100 },
    });
    const client = await connect();
    const marker = await startTree(client, 'p', { tty, exits: true });
    const before = survivorsWith(marker).sort();
    expect(await client.call('process/terminate', { processId: 'p' })).toEqual({ running: false });
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(survivorsWith(marker).sort()).toEqual(before);
    client.cut();
    await gone(marker);
  });

  describe('whose output somebody outside holds', () => {
    const startHeld = async (client: RawClient) => {
      await client.start('p', shell('echo ready; exec sleep 300'), { tty });
      await client.until(() => client.bytesOf('p').includes('ready') && client.has('p', 'process/started'));
      const pid = client.eventsOf('p').find(({ method }) => method === 'process/started')?.pid ?? 0;
      const mode = constants.O_WRONLY | constants.O_NOCTTY | constants.O_NONBLOCK;
      const fd = openSync(`/proc/${pid}/fd/1`, mode);
      onTestFinished(() => closeSync(fd));
      return { fd, supervisor: parentOf(pid) };
    };

    it('is let go of with its session', async () => {
      const { client: connect } = await serve();
      const client = await connect({ lifecycleNotifications: true });
      const { fd, supervisor } = await startHeld(client);
      client.cut();
      // The server is in this process: its end of a pipe has the same name.
      await expect.poll(() => descriptorsLike(fd)).toBe(1);
      // One on pipes may wait for the next command; it then has nothing to do with this one.
      if (tty) await expect.poll(() => existsSync(`/proc/${supervisor}`)).toBe(false);
    });

    it('has an end when the server ends', async () => {
      const server = await spawnServer();
      const client = await server.client({ resumeSessionId: null, lifecycleNotifications: true });
      await startHeld(client);
      server.child.kill('SIGTERM');
      await client.closed;
      const events = client.eventsOf('p').slice(-2);
      expect(events).toMatchObject([
        { method: 'process/exited', exitCode: 143 },
        { method: 'process/closed' },
      ]);
    });
  });

  it('ends when the server is killed', async () => {
    const server = await spawnServer();
    const client = await server.client();
    const running = await startTree(client, 'p', { tty, exits: false });
    const exited = await startTree(client, 'q', { tty, exits: true });
    server.child.kill('SIGKILL');
    await Promise.all([gone(running), gone(exited)]);
  });
});

describe('the end of the server', () => {
  it('lets commands end within the grace period and kills what does not', async () => {
    const server = await spawnServer({ process: { shutdownGracePeriodMs: 600 } });
    const client = await server.client();
    const polite = `SURVIVOR_TEST=${randomUUID()}`;
    const env = { PATH: '/usr/bin:/bin', SURVIVOR_TEST: polite.slice(14) };
    const script = 'trap "echo bye; exit 5" TERM; echo ready; while :; do sleep 0.05; done';
    await client.start('polite', shell(script), { env });
    await client.until(() => client.bytesOf('polite').includes('ready'));
    const deaf = await startTree(client, 'deaf', { tty: false, exits: false });
    const before = performance.now();
    server.child.kill('SIGTERM');
    await once(server.child, 'exit');
    expect(server.child.exitCode).toBe(0);
    expect(performance.now() - before).toBeLessThan(4000);
    expect(survivorsWith(polite)).toEqual([]);
    await gone(deaf);
  });

  // Ended commands end the wait, so a long grace period costs nothing, and a busy machine has time for the output.
  it.each([
    ['a pipe', false],
    ['a pty', true],
  ])('tells a client everything that a command says at its end, on %s', async (_, tty) => {
    const server = await spawnServer({ process: { shutdownGracePeriodMs: 30_000 } });
    const client = await server.client();
    const lines = 300_000;
    await client.start(
      'polite',
      shell(`trap "seq ${lines}; exit 5" TERM; echo ready; while :; do sleep 0.05; done`),
      { tty },
    );
    await client.until(() => client.bytesOf('polite').includes('ready'));
    server.child.kill('SIGTERM');
    expect(await client.closed).toMatchObject({ code: 1001 });
    expect(client.eventsOf('polite').slice(-2)).toMatchObject([
      { method: 'process/exited', exitCode: 5 },
      { method: 'process/closed' },
    ]);
    const last = client.bytesOf('polite').toString().trimEnd().split(/\r?\n/).slice(-lines);
    expect([last[0], last.at(-1), last.length]).toEqual(['1', String(lines), lines]);
  });

  it.each([
    ['a pipe', false],
    ['a pty', true],
  ])('tells a client what it had to kill before it goes, on %s', async (_, tty) => {
    const server = await spawnServer({ process: { shutdownGracePeriodMs: 300 } });
    const client = await server.client();
    await client.start('deaf', shell('trap "" TERM; echo ready; while :; do sleep 0.05; done'), { tty });
    await client.until(() => client.bytesOf('deaf').includes('ready'));
    server.child.kill('SIGTERM');
    expect(await client.closed).toMatchObject({ code: 1001 });
    expect(client.eventsOf('deaf').slice(-2)).toMatchObject([
      { method: 'process/exited', exitCode: 137 },
      { method: 'process/closed' },
    ]);
  });
});

// The rows of the failure model that can be made here: what dies is a real process, and bytes are compared.

import { ExecServerClient } from '@codex/exec-client';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Broker, startBroker } from './support/broker.js';
import { numberedDigest, receiveNumbered } from './support/counted-output.js';
import { isFull } from './support/full.js';
import { isAlive } from './support/is-alive.js';
import { PROGRAM, type Program, startCommand, startExecutor, startGateway } from './support/programs.js';
import { until } from './support/until.js';

const LINES = isFull ? 4_000_000 : 1_000_000;

let broker: Broker;
const programs: Program[] = [];
const started = async (program: Promise<Program>): Promise<Program> => {
  programs.push(await program);
  return program;
};

beforeEach(async () => {
  broker = await startBroker();
});
afterEach(async () => {
  await Promise.all(programs.splice(0).map((program) => program.stop()));
  await broker.stop();
});

const connect = (more: Parameters<typeof ExecServerClient.connect>[1] = {}) =>
  ExecServerClient.connect(broker.url, { environment: 'test', ...more });

describe('a broker', () => {
  it('may be killed while output flows: every byte arrives once', async () => {
    await started(startExecutor(broker.url, 'x1'));
    const events: string[] = [];
    const client = await connect({ onEvent: ({ type }) => events.push(type) });
    let killed: Promise<void> | undefined;
    const result = await receiveNumbered(client, LINES, (bytes) => {
      if (bytes > (LINES * 16) / 4) killed ??= broker.kill().then(() => broker.restart());
    });
    await killed;
    expect(events).toContain('reconnected');
    expect(result).toEqual({ digest: numberedDigest(LINES), bytes: LINES * 16, exitCode: 0 });
    await client.close();
  });

  it('may be away for seconds: the command waits and goes on', async () => {
    await started(startExecutor(broker.url, 'x1'));
    const client = await connect();
    const shell = await client.spawn(['cat'], { stdin: 'pipe' });
    await broker.kill();
    await new Promise((resolve) => setTimeout(resolve, 1500));
    await broker.restart();
    await shell.stdin.write('still here\n');
    await shell.waitFor('still here');
    await client.close();
  });

  it.each(['killed', 'frozen'])('that is %s does not hold up a client that closes', async (how) => {
    await started(startExecutor(broker.url, 'x1'));
    const client = await connect();
    await client.spawn(['sleep', '300']);
    if (how === 'killed') await broker.kill();
    else broker.freeze();
    await new Promise((resolve) => setTimeout(resolve, 200));
    // It would wait for 45 s otherwise, longer than a test may take.
    await client.close();
    await expect(client.run('true')).rejects.toMatchObject({ code: 'closed' });
  });

  it.skipIf(!isFull)(
    'may die again and again, at any moment: every byte arrives once, both ways',
    async () => {
      await started(startExecutor(broker.url, 'x1'));
      const client = await connect();
      const over = new AbortController();
      const dying = (async () => {
        while (!over.signal.aborted) {
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 2000));
          await broker.kill();
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 500));
          await broker.restart();
        }
      })();
      const echoed = async (): Promise<string> => {
        const cat = await client.spawn(['sha256sum'], { stdin: 'pipe' });
        for (let number = 1; number <= 200; number++) {
          await cat.stdin.write(`${String(number).padStart(15, '0')}\n`);
          if (number % 20 === 0) await new Promise((resolve) => setTimeout(resolve, 300));
        }
        await cat.stdin.end();
        return (await cat.waitFor(/[0-9a-f]{64}/)).match[0];
      };
      const [output, digest] = await Promise.all([receiveNumbered(client, LINES), echoed()]);
      over.abort();
      await dying;
      expect(output).toEqual({ digest: numberedDigest(LINES), bytes: LINES * 16, exitCode: 0 });
      expect(digest).toBe(numberedDigest(200));
      await client.close();
    },
  );

  it.skipIf(!isFull)('is given up after 25 seconds, and the machine ends the session by itself', async () => {
    await started(startExecutor(broker.url, 'x1', ['--session-ttl-ms', '1000']));
    const client = await connect();
    const process = await client.spawn(['sh', '-c', 'echo $$; exec sleep 300']);
    const pid = Number((await process.waitFor(/\d+\n/)).match[0]);
    await broker.kill();
    await until(() => !isAlive(pid));
    const outcome = await process.wait();
    expect(outcome).toMatchObject({
      kind: 'lost',
      error: { details: { reason: 'brokerUnreachable', executor: 'x1' } },
    });
    await client.close();
  });
});

describe('a machine that dies', () => {
  it('is a typed outcome, and what it ran is dead', async () => {
    const machine = await started(startExecutor(broker.url, 'x1'));
    const client = await connect({ fleet: { lossGraceMs: 500 } });
    const process = await client.spawn(['sh', '-c', 'echo $$; exec sleep 300']);
    const pid = Number((await process.waitFor(/\d+\n/)).match[0]);
    const before = Date.now();
    await machine.kill();
    const outcome = await process.wait();
    expect(outcome).toMatchObject({ kind: 'lost', error: { code: 'transport.lost', retryable: true } });
    const { details } = (outcome as { error: { details: Record<string, unknown> } }).error;
    expect(details).toMatchObject({ reason: 'machineGone', executor: 'x1' });
    expect(details['lastSeenAt']).toBeGreaterThan(before - 15_000);
    expect(details['fencedBy']).toBeGreaterThan(Date.now());
    await until(() => !isAlive(pid));
    await expect(client.run('true')).rejects.toMatchObject({
      code: 'transport.lost',
      details: { reason: 'machineGone' },
    });
    await client.close();
  });

  it('and comes back under its name does not know the session: that is told at once', async () => {
    const machine = await started(startExecutor(broker.url, 'x1'));
    const client = await connect();
    const process = await client.spawn(['sleep', '300']);
    await machine.kill();
    const killedAt = Date.now();
    await started(startExecutor(broker.url, 'x1'));
    const outcome = await process.wait();
    expect(outcome).toMatchObject({
      kind: 'lost',
      error: { details: { reason: 'sessionGone', executor: 'x1' } },
    });
    // Another program has the name; it may be on another machine, and the old one only cut off.
    const { lastSeenAt, fencedBy } = (
      outcome as { error: { details: { lastSeenAt: number; fencedBy: number } } }
    ).error.details;
    expect(fencedBy - lastSeenAt).toBeGreaterThan(80_000);
    expect(lastSeenAt).toBeLessThanOrEqual(killedAt);
    await client.close();
  });

  it.skipIf(!isFull).each(['2.9.10', '2.10.27', '2.15.1'])(
    'is noticed when it is frozen, on nats-server %s',
    async (version) => {
      await broker.stop();
      broker = await startBroker({ version, config: 'ping_interval: "5s"\nping_max: 2' });
      const machine = await started(startExecutor(broker.url, 'x1'));
      const client = await connect();
      const process = await client.spawn(['sleep', '300']);
      machine.signal('SIGSTOP');
      const began = Date.now();
      const outcome = await process.wait();
      expect(outcome).toMatchObject({ kind: 'lost' });
      const reason = (outcome as { error: { details: { reason: string } } }).error.details.reason;
      expect(['machineSilent', 'machineGone']).toContain(reason);
      // Idle silence is found after 12 s, and then the machine has 10 s to answer.
      expect(Date.now() - began).toBeLessThan(30_000);
      await client.close();
    },
  );

  it.skipIf(!isFull)('and wakes after its time ends what it ran, before anything else', async () => {
    const machine = await started(startExecutor(broker.url, 'x1', ['--session-ttl-ms', '1000']));
    const client = await connect();
    const process = await client.spawn(['sh', '-c', 'echo $$; exec sleep 300']);
    const pid = Number((await process.waitFor(/\d+\n/)).match[0]);
    machine.signal('SIGSTOP');
    const outcome = await process.wait();
    const { fencedBy } = (outcome as { error: { details: { fencedBy: number } } }).error.details;
    await until(() => Date.now() > fencedBy, 60_000);
    machine.signal('SIGCONT');
    await until(() => !isAlive(pid), 2500);
    await client.close();
  });
});

describe('a machine that drains', () => {
  it('keeps its sessions, takes no new ones, and ends after the last', async () => {
    const machine = await started(startExecutor(broker.url, 'x1'));
    const client = await connect();
    const shell = await client.spawn(['cat'], { stdin: 'pipe' });
    machine.signal('SIGTERM');
    await until(() => machine.stderr().includes('draining'));
    await expect(connect({ fleet: { acquireTimeoutMs: 300 } })).rejects.toMatchObject({
      code: 'fleet.noCapacity',
    });
    // A resume still works.
    await broker.kill();
    await broker.restart();
    await shell.stdin.write('kept\n');
    await shell.waitFor('kept');
    await shell.stop();
    await client.close();
    expect(isAlive(machine.pid)).toBe(true);
  });

  it('tells who is left when its time is over', async () => {
    const machine = await started(startExecutor(broker.url, 'x1', ['--drain-timeout-ms', '200']));
    const client = await connect();
    const process = await client.spawn(['sleep', '300']);
    machine.signal('SIGTERM');
    const outcome = await process.wait();
    expect(['lost', 'terminated', 'exited']).toContain(outcome.kind);
    await expect(client.run('true')).rejects.toMatchObject({
      code: 'transport.lost',
      details: { reason: 'drained' },
    });
    expect(await machine.exited).toBe(0);
    await client.close();
  });

  it('ends after its one session when it was started for one', async () => {
    const machine = await started(
      startExecutor(broker.url, 'x1', [
        '--max-sessions',
        '1',
        '--exit-after-session',
        '--session-ttl-ms',
        '100',
      ]),
    );
    const client = await connect();
    await expect(connect({ fleet: { acquireTimeoutMs: 200 } })).rejects.toMatchObject({
      code: 'fleet.noCapacity',
    });
    expect((await client.run('echo once')).stdout.text).toBe('once\n');
    await client.close();
    expect(await machine.exited).toBe(0);
  });
});

it('lets only one machine have a name: the younger leaves', async () => {
  const first = await started(startExecutor(broker.url, 'x1'));
  const second = await started(
    startCommand(
      process.execPath,
      [PROGRAM, '--fleet', broker.url, '--environment', 'test', '--name', 'x1'],
      { sign: /give this one another --name/ },
    ),
  );
  expect(await second.exited).toBe(1);
  expect(isAlive(first.pid)).toBe(true);
});

describe('a gateway', () => {
  it('may be killed while output flows: another one goes on', async () => {
    await started(startExecutor(broker.url, 'x1'));
    const [first, second] = [
      await started(startGateway(broker.url)),
      await started(startGateway(broker.url)),
    ];
    const { connectWebSocket } = await import('@codex/exec-rpc/ws');
    let current = first;
    const client = await ExecServerClient.connect({
      channel: () => connectWebSocket(`${current.line}/e/test`, {}),
    });
    let killed: Promise<void> | undefined;
    const result = await receiveNumbered(client, LINES, (bytes) => {
      if (bytes < (LINES * 16) / 4 || killed !== undefined) return;
      current = second;
      killed = first.kill();
    });
    expect(result).toEqual({ digest: numberedDigest(LINES), bytes: LINES * 16, exitCode: 0 });
    await client.close();
  });

  it('answers for a machine that is gone as a server does for a session it does not know', async () => {
    const machine = await started(startExecutor(broker.url, 'x1'));
    const gateway = await started(startGateway(broker.url, ['--loss-grace-ms', '500']));
    const client = await ExecServerClient.connect(gateway.line);
    const process = await client.spawn(['sleep', '300']);
    await machine.kill();
    const outcome = await process.wait();
    expect(outcome).toMatchObject({ kind: 'lost' });
    expect((outcome as { error: Error }).error.message).toContain(
      'machine x1 is not connected to the broker any more',
    );
    await client.close();
  });
});

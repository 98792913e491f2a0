// Networks that fail without a sign, and brokers that die one by one: what is between a client and its machine.

import { createHash } from 'node:crypto';
import { ExecServerClient } from '@codex/exec-client';
import { afterEach, describe, expect, it } from 'vitest';
import { Blackhole } from './support/blackhole.js';
import { type Broker, startBroker } from './support/broker.js';
import { startCluster } from './support/cluster.js';
import { numberedDigest, receiveNumbered } from './support/counted-output.js';
import { isFull } from './support/full.js';
import { isAlive } from './support/is-alive.js';
import { startExecutor, startGateway } from './support/programs.js';
import { until } from './support/until.js';

const LINES = isFull ? 4_000_000 : 500_000;
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

async function kept<T extends { stop(): Promise<unknown> }>(started: Promise<T>): Promise<T> {
  const value = await started;
  cleanups.push(() => value.stop());
  return value;
}

const clientOf = async (
  url: string,
  more: Parameters<typeof ExecServerClient.connect>[1] = {},
): Promise<ExecServerClient> => {
  const client = await ExecServerClient.connect(url, { environment: 'test', ...more });
  cleanups.push(() => client.close());
  return client;
};

async function throughBlackhole(): Promise<{ broker: { url: string }; hole: Blackhole }> {
  const broker = await kept(startBroker());
  const hole = await Blackhole.before(broker.port);
  cleanups.push(() => hole.close());
  return { broker, hole };
}

describe('one broker of three', () => {
  it.each(isFull ? ['is killed', 'sends everybody away'] : ['is killed'])(
    '%s while output flows: every byte arrives once',
    async (how) => {
      const cluster = await kept(startCluster(3));
      await kept(startExecutor(cluster.url, 'x1'));
      const client = await clientOf(cluster.url, { clientName: 'reader' });
      let struck: Promise<unknown> | undefined;
      const strike = async (): Promise<void> => {
        for (const name of ['exec-server test/x1', 'reader']) {
          let broker: Broker | undefined;
          // After the first strike both may be on their way to another one.
          await until(async () => {
            broker = await cluster.connectedTo(name);
            return broker !== undefined;
          });
          if (broker === undefined) return;
          if (how === 'is killed') {
            await broker.kill();
            await broker.restart();
          } else cluster.lameDuck(broker);
          if (!isFull) return;
        }
      };
      const result = await receiveNumbered(client, LINES, (bytes) => {
        if (bytes > (LINES * 16) / 4) struck ??= strike();
      });
      await struck;
      expect(result).toEqual({ digest: numberedDigest(LINES), bytes: LINES * 16, exitCode: 0 });
    },
  );
});

describe.skipIf(!isFull)('a whole cluster', () => {
  const lose = async (cluster: Awaited<ReturnType<typeof startCluster>>): Promise<void> => {
    await Promise.all(cluster.brokers.map((broker) => broker.kill()));
  };

  it('may be lost while output flows, and come back in time: every byte arrives once', async () => {
    const cluster = await kept(startCluster(3));
    await kept(startExecutor(cluster.url, 'x1'));
    const client = await clientOf(cluster.url);
    let lost: Promise<void> | undefined;
    const outage = async (): Promise<void> => {
      await lose(cluster);
      await new Promise((resolve) => setTimeout(resolve, 5000));
      await Promise.all(cluster.brokers.map((broker) => broker.restart()));
    };
    const result = await receiveNumbered(client, LINES, (bytes) => {
      if (bytes > (LINES * 16) / 4) lost ??= outage();
    });
    await lost;
    expect(result).toEqual({ digest: numberedDigest(LINES), bytes: LINES * 16, exitCode: 0 });
  });

  it('that stays away is given up after 25 seconds, and the machine ends the session before `fencedBy`', async () => {
    const cluster = await kept(startCluster(3));
    await kept(startExecutor(cluster.url, 'x1', ['--session-ttl-ms', '2000']));
    const client = await clientOf(cluster.url);
    const process = await client.spawn(['sh', '-c', 'echo $$; exec sleep 300']);
    const pid = Number((await process.waitFor(/\d+\n/)).match[0]);
    await lose(cluster);
    const outcome = await process.wait();
    expect(outcome).toMatchObject({
      kind: 'lost',
      error: { details: { reason: 'brokerUnreachable', executor: 'x1' } },
    });
    await until(() => !isAlive(pid));
    const { fencedBy } = (outcome as { error: { details: { fencedBy: number } } }).error.details;
    expect(Date.now()).toBeLessThan(fencedBy);
    // The next client is served as soon as one of them is back.
    await cluster.brokers[0]?.restart();
    await until(async () => {
      const next = await ExecServerClient.connect(cluster.url, { environment: 'test' }).catch(
        () => undefined,
      );
      await next?.close();
      return next !== undefined;
    }, 30_000);
  });
});

describe.skipIf(!isFull)('a connection that carries nothing any more', () => {
  it.each([['toBroker'], ['fromBroker'], ['toBroker', 'fromBroker']] as const)(
    'of the client, is replaced, and nothing is lost (%s %s)',
    async (...directions) => {
      const { broker, hole } = await throughBlackhole();
      await kept(startExecutor(broker.url, 'x1'));
      const client = await clientOf(hole.url);
      const cat = await client.spawn(['cat'], { stdin: 'pipe' });
      await cat.stdin.write('before\n');
      await cat.waitFor('before');
      hole.swallow(directions);
      await cat.stdin.write('after\n');
      await cat.waitFor('after');
      expect((await client.run('echo alive')).stdout.text).toBe('alive\n');
    },
  );

  it('of the machine, is replaced, and nothing is lost', async () => {
    const { broker, hole } = await throughBlackhole();
    await kept(startExecutor(hole.url, 'x1'));
    const client = await clientOf(broker.url);
    let isSwallowed = false;
    const result = await receiveNumbered(client, LINES, (bytes) => {
      if (bytes < (LINES * 16) / 4 || isSwallowed) return;
      isSwallowed = true;
      hole.swallow();
    });
    expect(result).toEqual({ digest: numberedDigest(LINES), bytes: LINES * 16, exitCode: 0 });
  });
});

describe.skipIf(!isFull)('a machine that is cut off', () => {
  it('is lost for its client, and ends what it ran before `fencedBy`, alone', async () => {
    const { broker, hole } = await throughBlackhole();
    await kept(startExecutor(hole.url, 'x1', ['--session-ttl-ms', '2000']));
    const client = await clientOf(broker.url);
    const process = await client.spawn(['sh', '-c', 'echo $$; exec sleep 300']);
    const pid = Number((await process.waitFor(/\d+\n/)).match[0]);
    const cutAt = Date.now();
    hole.swallow(undefined, { newOnesToo: true });
    const outcome = await process.wait();
    expect(Date.now() - cutAt).toBeLessThan(15_000);
    expect(outcome).toMatchObject({ kind: 'lost', error: { details: { executor: 'x1' } } });
    const { reason, fencedBy, lastSeenAt } = (
      outcome as { error: { details: { reason: string; fencedBy: number; lastSeenAt: number } } }
    ).error.details;
    // The broker has not noticed yet, or has.
    expect(['machineSilent', 'machineGone']).toContain(reason);
    expect(lastSeenAt).toBeLessThanOrEqual(cutAt + 2000);
    await until(() => !isAlive(pid), 60_000);
    expect(Date.now()).toBeLessThan(fencedBy);
  });
});

/** A broker that gives up on whoever does not read, and how often it did. */
const impatient = () => kept(startBroker({ config: 'max_pending: 1048576\nwrite_deadline: "300ms"' }));
const slowConsumers = async ({ monitorUrl }: Broker): Promise<number> => {
  const varz = (await (await fetch(`${monitorUrl}/varz`)).json()) as { readonly slow_consumers: number };
  return varz.slow_consumers;
};

describe.skipIf(!isFull)('a gateway that takes nothing for a while', () => {
  it('is cut off by a broker with little patience, and every byte for its clients arrives once', async () => {
    const broker = await impatient();
    await kept(startExecutor(broker.url, 'x1'));
    const gateway = await kept(startGateway(broker.url));
    const lines = 250_000;
    const clients = await Promise.all(
      Array.from({ length: 24 }, () => ExecServerClient.connect(`${gateway.line}/e/test`)),
    );
    for (const client of clients) cleanups.push(() => client.close());
    const results = Promise.all(clients.map((client) => receiveNumbered(client, lines)));
    await new Promise((resolve) => setTimeout(resolve, 400));
    gateway.signal('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 2000));
    gateway.signal('SIGCONT');
    const expected = { digest: numberedDigest(lines), bytes: lines * 16, exitCode: 0 };
    expect(await results).toEqual(clients.map(() => expected));
    expect(await slowConsumers(broker)).toBeGreaterThan(0);
  });
});

describe.skipIf(!isFull)('a machine that takes nothing for a while', () => {
  it('is cut off by a broker with little patience, and every byte that was on its way arrives once', async () => {
    const broker = await impatient();
    const machine = await kept(startExecutor(broker.url, 'x1'));
    const block = Buffer.alloc(1024 * 1024, 'some bytes of a file ');
    const blocks = 8;
    // More than the system keeps between the broker and the machine.
    const uploads = 24;
    const upload = async (): Promise<string> => {
      const client = await clientOf(broker.url);
      const sum = await client.spawn(['sha256sum'], { stdin: 'pipe' });
      for (let index = 0; index < blocks; index++) await sum.stdin.write(Uint8Array.from(block));
      await sum.stdin.end();
      return (await sum.waitFor(/[0-9a-f]{64}/)).match[0];
    };
    const digests = Promise.all(Array.from({ length: uploads }, upload));
    await new Promise((resolve) => setTimeout(resolve, 400));
    machine.signal('SIGSTOP');
    await new Promise((resolve) => setTimeout(resolve, 2000));
    machine.signal('SIGCONT');
    const hash = createHash('sha256');
    for (let index = 0; index < blocks; index++) hash.update(block);
    const expected = hash.digest('hex');
    expect(await digests).toEqual(Array.from({ length: uploads }, () => expected));
    expect(await slowConsumers(broker)).toBeGreaterThan(0);
  });
});

// Three brokers that are lost one after the other, while a machine, a gateway and clients work through all of them.

import { ExecServerClient } from '@codex/exec-client';
import { afterEach, describe, expect, it } from 'vitest';
import type { Broker } from './support/broker.js';
import { type Cluster, startCluster } from './support/cluster.js';
import { numberedDigest, receiveNumbered } from './support/counted-output.js';
import { isFull } from './support/full.js';
import { startExecutor, startGateway } from './support/programs.js';
import { until } from './support/until.js';

const LINES = 2_000_000;
const ALL_BYTES = LINES * 16;
const cleanups: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanups.splice(0).reverse()) await cleanUp();
});

async function kept<T extends { stop(): Promise<unknown> }>(started: Promise<T>): Promise<T> {
  const value = await started;
  cleanups.push(() => value.stop());
  return value;
}

async function clientOf(...place: Parameters<typeof ExecServerClient.connect>): Promise<ExecServerClient> {
  const client = await ExecServerClient.connect(...place);
  cleanups.push(() => client.close());
  return client;
}

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Resolves when every broker has its way to both others. */
async function isWhole({ brokers }: Cluster): Promise<void> {
  await until(async () => {
    const counts = await Promise.all(
      brokers.map(async ({ monitorUrl }) => {
        const routes = (await (await fetch(`${monitorUrl}/routez`)).json()) as {
          readonly routes?: readonly { readonly remote_id: string }[];
        };
        return new Set(routes.routes?.map(({ remote_id: id }) => id)).size;
      }),
    );
    return counts.every((count) => count === brokers.length - 1);
  });
}

/** Numbered lines to a command that answers with their digest, slowly enough to meet every loss. */
async function sendNumbered(client: ExecServerClient, lines: number, over: () => boolean): Promise<string> {
  const sum = await client.spawn(['sha256sum'], { stdin: 'pipe' });
  for (let number = 1; number <= lines; number++) {
    await sum.stdin.write(`${String(number).padStart(15, '0')}\n`);
    if (!over()) await pause(20);
  }
  await sum.stdin.end();
  return (await sum.waitFor(/[0-9a-f]{64}/)).match[0];
}

const WAYS: Readonly<Record<string, (broker: Broker, cluster: Cluster) => Promise<void>>> = {
  'are killed one after the other': async (broker) => {
    await broker.kill();
    await pause(700);
    await broker.restart();
  },
  'are restarted one after the other, each without its clients': async (broker, cluster) => {
    cluster.lameDuck(broker);
    await pause(2000);
    await broker.kill();
    await broker.restart();
  },
};

describe.skipIf(!isFull)('three brokers', () => {
  it('do not lead a client in the clear to an address that it was not given', async () => {
    const cluster = await kept(startCluster(3));
    await isWhole(cluster);
    const [first] = cluster.brokers;
    await kept(startExecutor(cluster.url, 'x1'));
    const client = await clientOf(first?.url ?? '', { environment: 'test', clientName: 'one-door' });
    await first?.kill();
    await pause(1500);
    expect(await cluster.connectedTo('one-door')).toBeUndefined();
    await first?.restart();
    expect((await client.run('echo back')).stdout.text).toBe('back\n');
  });

  it.each(Object.keys(WAYS))(
    '%s: everybody works on, and every byte arrives once',
    async (how) => {
      const cluster = await kept(startCluster(3));
      await kept(startExecutor(cluster.url, 'x1'));
      const gateway = await kept(startGateway(cluster.url));
      const clients = [
        await clientOf(cluster.url, { environment: 'test' }),
        await clientOf(`${gateway.line}/e/test`),
      ];
      let isOver = false;
      const met: string[] = [];
      const losses = (async () => {
        for (let round = 0; round < 2; round++) {
          for (const broker of cluster.brokers) {
            await WAYS[how]?.(broker, cluster);
            await isWhole(cluster);
            // Whoever comes now finds a machine as well.
            const next = await ExecServerClient.connect(cluster.url, { environment: 'test' });
            met.push((await next.run('echo found')).stdout.text);
            await next.close();
          }
        }
        isOver = true;
      })();
      const received = async (client: ExecServerClient): Promise<void> => {
        // At least once, and then until the last broker was lost.
        do {
          const result = await receiveNumbered(client, LINES);
          expect(result).toEqual({ digest: numberedDigest(LINES), bytes: ALL_BYTES, exitCode: 0 });
        } while (!isOver);
      };
      const work = clients.flatMap((client) => [
        received(client),
        sendNumbered(client, 1000, () => isOver).then((digest) => expect(digest).toBe(numberedDigest(1000))),
      ]);
      await Promise.all([losses, ...work]);
      expect(met).toEqual(Array.from({ length: 6 }, () => 'found\n'));
    },
    180_000,
  );
});

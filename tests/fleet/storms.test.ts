// Everybody loses the broker at the same moment: all machines and all clients come back, each client to its own session, and
// nothing is lost or comes twice.

import { describe, expect, it } from 'vitest';
import { startBroker } from './support/broker.js';
import { startCluster } from './support/cluster.js';
import { isFull } from './support/full.js';
import { runStorm } from './support/storm.js';

const [MACHINES, CLIENTS] = isFull ? [100, 300] : [6, 20];
const TIMEOUT_MS = 240_000;

describe('a broker that everybody works through', () => {
  it(
    'is killed and comes back: every client goes on where it was',
    async () => {
      const broker = await startBroker();
      const { wrong, recoveredMs } = await runStorm({
        url: broker.url,
        machines: MACHINES,
        clients: CLIENTS,
        strike: async () => {
          await broker.kill();
          await new Promise((resolve) => setTimeout(resolve, 1000));
          await broker.restart();
        },
      });
      expect(wrong).toEqual([]);
      expect(recoveredMs).toHaveLength(CLIENTS);
      const { total_connections: dials } = (await (await fetch(`${broker.monitorUrl}/varz`)).json()) as {
        total_connections: number;
      };
      // Nobody is cut off again by the crowd. One was this test, which looked whether the broker listens.
      expect(dials).toBe(MACHINES + CLIENTS + 1);
      await broker.stop();
    },
    TIMEOUT_MS,
  );

  it(
    'is one of three, and is killed for good: machines and clients move to the others',
    async () => {
      const cluster = await startCluster(3);
      const { wrong } = await runStorm({
        url: cluster.url,
        machines: isFull ? 30 : MACHINES,
        clients: isFull ? 90 : CLIENTS,
        strike: async () => {
          await cluster.brokers[1]?.kill();
        },
      });
      expect(wrong).toEqual([]);
      await cluster.stop();
    },
    TIMEOUT_MS,
  );
});

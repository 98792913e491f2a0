// Several brokers that know each other, as one address.

import { spawnSync } from 'node:child_process';
import { type Broker, freePort, startBroker } from './broker.js';
import { findBroker } from './nats-server.js';

export interface Cluster {
  readonly brokers: readonly Broker[];
  /** All of them, this one first: clients shuffle, so a test that needs to know asks `connectedTo`. */
  readonly url: string;
  /** The broker that a connection of this name is on. */
  connectedTo(name: string): Promise<Broker | undefined>;
  /** Lets a broker send its clients away before it ends. */
  lameDuck(broker: Broker): void;
  stop(): Promise<void>;
}

export async function startCluster(size: number): Promise<Cluster> {
  const ports = await Promise.all(Array.from({ length: size }, () => freePort()));
  const routes = ports.map((port) => `"nats://127.0.0.1:${port}"`).join(', ');
  const brokers: Broker[] = [];
  for (const [index, port] of ports.entries()) {
    brokers.push(
      await startBroker({
        config: [
          `server_name: "b${index}"`,
          `cluster: { name: "test", listen: "127.0.0.1:${port}", routes: [${routes}] }`,
          'lame_duck_duration: "30s"',
          'lame_duck_grace_period: "1s"',
        ].join('\n'),
      }),
    );
  }
  return {
    brokers,
    url: brokers.map(({ url }) => url).join(','),
    async connectedTo(name) {
      for (const broker of brokers) {
        const answer = await fetch(`${broker.monitorUrl}/connz`).catch(() => undefined);
        const { connections = [] } = ((await answer?.json()) ?? {}) as {
          connections?: readonly { readonly name?: string }[];
        };
        if (connections.some((connection) => connection.name === name)) return broker;
      }
      return undefined;
    },
    lameDuck: (broker) => void spawnSync(findBroker(), ['--signal', `ldm=${broker.pid}`]),
    stop: async () => {
      for (const broker of brokers) await broker.stop();
    },
  };
}

// How figures change while many processes run or many clients are connected.
import { type Scenario, type Stage, timed } from '../scenario.js';
import { BenchClient } from '../subjects/bench-client.js';

const PROCESSES = 100;
const CONNECTIONS = 100;

/** Commands that do nothing, held by a client of their own. */
const manyProcesses: Stage = {
  async set({ server }) {
    const client = await BenchClient.connect(server.url);
    const ended: Promise<void>[] = [];
    const ids: string[] = [];
    for (let n = 0; n < PROCESSES; n += 1) {
      await new Promise<void>((resolve) => {
        const started = (processId: string) => {
          ids.push(processId);
          resolve();
        };
        ended.push(client.run({ argv: ['sleep', '600'], started }));
      });
    }
    return async () => {
      await Promise.all(ids.map((processId) => client.call('process/terminate', { processId })));
      await Promise.all(ended);
      client.close();
    };
  },
};

const manyConnections: Stage = {
  async set({ server }) {
    const clients = await Promise.all(
      Array.from({ length: CONNECTIONS }, () => BenchClient.connect(server.url)),
    );
    return async () => {
      for (const client of clients) client.close();
    };
  },
};

const memory = (what: string, stage: Stage): Scenario => ({
  name: `memory, ${what}`,
  unit: 'MiB',
  samplesPerRound: 1,
  stage,
  sample: async ({ server }) => server.treeMiB(),
});

const roundTrip = (what: string, stage: Stage): Scenario => ({
  name: `round trip, ${what}`,
  unit: 'ms',
  samplesPerRound: 200,
  stage,
  sample: ({ client }) => timed(() => client.call('environment/status', null)),
});

const startToClosed = (what: string, stage: Stage): Scenario => ({
  name: `start to closed, ${what}`,
  unit: 'ms',
  samplesPerRound: 10,
  stage,
  sample: ({ client }) => timed(() => client.run({ argv: ['/bin/true'] })),
});

export const growthScenarios: readonly Scenario[] = [
  memory(`${PROCESSES} processes (whole tree)`, manyProcesses),
  roundTrip(`${PROCESSES} processes`, manyProcesses),
  startToClosed(`${PROCESSES} processes`, manyProcesses),
  memory(`${CONNECTIONS} connections (whole tree)`, manyConnections),
  roundTrip(`${CONNECTIONS} connections`, manyConnections),
];

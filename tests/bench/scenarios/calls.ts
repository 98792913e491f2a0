// Requests that do next to nothing: what the transport and the dispatch cost.
import { type Scenario, timed } from '../scenario.js';

const PIPELINED = 500;

export const callScenarios: readonly Scenario[] = [
  {
    name: 'start-up to the printed address',
    unit: 'ms',
    samplesPerRound: 1,
    sample: async ({ server }) => server.startupMs,
  },
  {
    name: 'round trip (environment/status)',
    unit: 'ms',
    samplesPerRound: 300,
    goal: 0.8,
    sample: ({ client }) => timed(() => client.call('environment/status', null)),
  },
  {
    name: `${PIPELINED} pipelined fs/getMetadata`,
    unit: '/s',
    samplesPerRound: 6,
    goal: 1.2,
    sample: async ({ client, folder }) => {
      const path = `file://${folder}/small`;
      const calls = () =>
        Array.from({ length: PIPELINED }, () => client.call('fs/getMetadata', { path, sandbox: null }));
      return (PIPELINED / (await timed(() => Promise.all(calls())))) * 1000;
    },
  },
  {
    name: 'memory, idle',
    unit: 'MiB',
    samplesPerRound: 1,
    goal: 1 / 1.5,
    sample: async ({ server }) => server.residentMiB(),
  },
];

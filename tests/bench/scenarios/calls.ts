// Requests that do next to nothing: what the transport and the dispatch cost.
import { type Scenario, timed } from '../scenario.js';

const PIPELINED = 500;

export const callScenarios: readonly Scenario[] = [
  {
    name: 'start-up to the printed address',
    unit: 'ms',
    samplesPerRound: 10,
    goalBeyondNodeMs: 40,
    sample: ({ server }) => server.timeAnotherStart(),
    node: (node) => timed(() => node.run(process.execPath, ['-e', '0'])),
  },
  ...(['websocket', 'stdio'] as const).map(
    (transport): Scenario => ({
      name: `start-up to the first answer (${transport})`,
      unit: 'ms',
      samplesPerRound: 10,
      goalBeyondNodeMs: 42,
      sample: ({ server }) => server.timeFirstAnswer(transport),
      node: (node) => timed(() => node.run(process.execPath, ['-e', '0'])),
    }),
  ),
  {
    name: 'memory, idle',
    unit: 'MiB',
    samplesPerRound: 1,
    goal: 1,
    sample: async ({ server }) => server.residentMiB(),
    node: async ({ server }) => server.residentMiB(),
  },
  {
    name: 'round trip (environment/status)',
    unit: 'ms',
    samplesPerRound: 300,
    // Until then Node interprets what it will compile.
    warmUps: 5000,
    goal: 1,
    isAckSensitive: true,
    sample: ({ client }) => timed(() => client.call('environment/status', null)),
    node: ({ client }) => timed(() => client.call('echo', null)),
  },
  {
    name: `${PIPELINED} pipelined fs/getMetadata`,
    unit: '/s',
    samplesPerRound: 6,
    warmUps: 4,
    goal: 5,
    sample: ({ client, folder }) =>
      perSecond(() => client.call('fs/getMetadata', { path: `file://${folder}/small`, sandbox: null })),
    node: ({ client }, folder) => perSecond(() => client.call('stat', { path: `${folder}/small` })),
  },
];

async function perSecond(call: () => Promise<unknown>): Promise<number> {
  const ms = await timed(() => Promise.all(Array.from({ length: PIPELINED }, call)));
  return (PIPELINED / ms) * 1000;
}

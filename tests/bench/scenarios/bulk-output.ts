// Much output at once: blocks, lines, a terminal, and what it costs the server in memory.
import { type BenchContext, type Scenario, timed } from '../scenario.js';
import { BenchClient } from '../subjects/bench-client.js';

const BULK_BYTES = 64 * 1024 * 1024;

interface Bulk {
  readonly name: string;
  readonly goal: number;
  readonly goalOverSsh?: number;
  readonly argv: readonly [string, ...string[]];
  readonly tty?: boolean;
}

const zeros = (bytes: number): Bulk['argv'] => ['head', '-c', String(bytes), '/dev/zero'];

const bulk = ({ name, goal, goalOverSsh, argv, tty = false }: Bulk): Scenario => ({
  name,
  unit: 'MB/s',
  samplesPerRound: 2,
  goal,
  ...(goalOverSsh === undefined ? {} : { goalOverSsh }),
  sample: ({ client }) => megabytesPerSecond(() => outputBytes(client, { argv, tty })),
  ssh: (host) => megabytesPerSecond(() => host.run(argv.join(' '), { tty })),
  // Node itself has no terminals.
  ...(tty
    ? {}
    : {
        node: (node) => {
          const [command, ...args] = argv;
          return megabytesPerSecond(() => node.run(command, args));
        },
      }),
});

export const bulkScenarios: readonly Scenario[] = [
  bulk({ name: 'bulk output, pipe', goal: 1.3, argv: zeros(BULK_BYTES) }),
  bulk({ name: 'many lines, pipe', goal: 1.5, argv: ['seq', '1', '3000000'] }),
  bulk({ name: 'bulk output, pty', goal: 1.1, goalOverSsh: 1.1, argv: zeros(BULK_BYTES / 4), tty: true }),
  {
    name: 'memory, after 64 MiB through one process',
    unit: 'MiB',
    samplesPerRound: 1,
    goal: 1 / 1.3,
    sample: async ({ server }) => {
      const another = await server.another();
      const client = await BenchClient.connect(another.url);
      await outputBytes(client, { argv: zeros(BULK_BYTES) });
      const resident = another.residentMiB();
      client.close();
      await another.stop();
      return resident;
    },
  },
  {
    name: 'memory, peak while 64 MiB pass after all that',
    unit: 'MiB',
    samplesPerRound: 1,
    sample: async ({ client, server }) => {
      server.forgetPeak();
      await outputBytes(client, { argv: zeros(BULK_BYTES) });
      return server.peakMiB();
    },
  },
];

async function megabytesPerSecond(transfer: () => Promise<number>): Promise<number> {
  let bytes = 0;
  const ms = await timed(async () => {
    bytes = await transfer();
  });
  return bytes / 1000 / ms;
}

async function outputBytes(
  client: BenchContext['client'],
  start: { readonly argv: readonly string[]; readonly tty?: boolean },
): Promise<number> {
  let bytes = 0;
  await client.run(start, (_method, { chunk }) => {
    if (chunk !== undefined) bytes += (chunk.length / 4) * 3;
  });
  return bytes;
}

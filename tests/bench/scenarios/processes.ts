// Processes: start to closed, many at once, bulk output, and the echo of a keystroke.
import { type BenchContext, type Scenario, timed } from '../scenario.js';

const STARTS_AT_ONCE = 100;
const BULK_BYTES = 64 * 1024 * 1024;
const ECHOES = 30;

const startToClosed = (tty: boolean, goal: number): Scenario => ({
  name: `/bin/true, start to closed (${tty ? 'pty' : 'pipe'})`,
  unit: 'ms',
  samplesPerRound: 25,
  goal,
  sample: ({ client }) => timed(() => client.run({ argv: ['/bin/true'], tty })),
});

const bulk = (name: string, goal: number, start: { argv: readonly string[]; tty?: boolean }): Scenario => ({
  name,
  unit: 'MB/s',
  samplesPerRound: 1,
  goal,
  sample: ({ client }) => measureOutput(client, start),
});

export const processScenarios: readonly Scenario[] = [
  startToClosed(false, 10),
  startToClosed(true, 8),
  {
    name: `${STARTS_AT_ONCE} starts at once`,
    unit: '/s',
    samplesPerRound: 2,
    goal: 2.5,
    sample: async ({ client }) => {
      const runs = () => Array.from({ length: STARTS_AT_ONCE }, () => client.run({ argv: ['/bin/true'] }));
      return (STARTS_AT_ONCE / (await timed(() => Promise.all(runs())))) * 1000;
    },
  },
  bulk('bulk output, pipe', 1.2, { argv: ['head', '-c', String(BULK_BYTES), '/dev/zero'] }),
  bulk('bulk output, pty', 0.9, { argv: ['head', '-c', String(BULK_BYTES / 4), '/dev/zero'], tty: true }),
  bulk('many lines, pipe', 1.5, { argv: ['seq', '1', '3000000'] }),
  { name: 'keystroke echo (pty)', unit: 'ms', samplesPerRound: ECHOES, goal: 80, sample: echoSampler() },
];

async function measureOutput(
  client: BenchContext['client'],
  start: { argv: readonly string[]; tty?: boolean },
): Promise<number> {
  let bytes = 0;
  const ms = await timed(() =>
    client.run(start, (_method, { chunk }) => {
      if (chunk !== undefined) bytes += (chunk.length / 4) * 3;
    }),
  );
  return bytes / 1000 / ms;
}

/** Keeps one `cat` on a pty per client and types one character at a time. */
function echoSampler(): Scenario['sample'] {
  const typists = new WeakMap<BenchContext['client'], Promise<() => Promise<void>>>();
  return async ({ client }) => {
    const typist = typists.get(client) ?? startTypist(client);
    typists.set(client, typist);
    const type = await typist;
    return timed(type);
  };
}

function startTypist(client: BenchContext['client']): Promise<() => Promise<void>> {
  return new Promise((ready, fail) => {
    let onEcho: () => void = () => undefined;
    let writes = 0;
    const started = (processId: string) =>
      ready(async () => {
        const echoed = new Promise<void>((resolve) => {
          onEcho = resolve;
        });
        writes += 1;
        await Promise.all([
          client.call('process/write', { processId, chunk: 'eA==', writeId: `w${writes}` }),
          echoed,
        ]);
      });
    client
      .run({ argv: ['cat'], tty: true, started }, (method) => {
        if (method === 'process/output') onEcho();
      })
      .catch(fail);
  });
}

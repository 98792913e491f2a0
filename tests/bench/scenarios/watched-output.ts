// Output while somebody watches who never reads: beside the same without anybody, what a watcher costs the owner. Only our
// server has watchers. Processor time of the server tells more than speed where the machine has other work.
import { randomUUID } from 'node:crypto';
import WebSocket from 'ws';
import type { BenchContext, Scenario } from '../scenario.js';

const BYTES = 64 * 1024 * 1024;
const SCRIPT = ['sh', '-c', `read go; exec head -c ${BYTES} /dev/zero`];

const scenario = (name: string, isWatched: boolean): Scenario => ({
  name,
  unit: 'MB/s',
  samplesPerRound: 4,
  isOursOnly: true,
  sample: (context) => megabytesPerSecond(context, isWatched),
});

const cpu = (
  name: string,
  work: (context: BenchContext) => Promise<unknown>,
  isOursOnly = true,
): Scenario => ({
  name: `server CPU, ${name}`,
  unit: 'ms',
  samplesPerRound: 3,
  isOursOnly,
  sample: async (context) => {
    const before = context.server.cpuMs();
    await work(context);
    return context.server.cpuMs() - before;
  },
});

const STARTS = 600;

async function manyStarts({ client }: BenchContext): Promise<void> {
  for (let done = 0; done < STARTS; done += 20)
    await Promise.all(Array.from({ length: 20 }, () => client.run({ argv: ['/bin/true'] })));
}

export const watchedScenarios: readonly Scenario[] = [
  scenario('bulk output, nobody watches', false),
  scenario('bulk output, a watcher does not read', true),
  cpu('256 MiB, nobody watches', (context) => repeated(4, () => megabytesPerSecond(context, false)), false),
  cpu('256 MiB, a watcher does not read', (context) => repeated(4, () => megabytesPerSecond(context, true))),
  cpu(`${STARTS} starts, nobody watches`, manyStarts, false),
];

async function repeated(times: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < times; done++) await work();
}

async function megabytesPerSecond({ client, server }: BenchContext, isWatched: boolean): Promise<number> {
  let watcher: WebSocket | undefined;
  let begin = 0;
  let begun: Promise<void> | undefined;
  await client.run({
    argv: SCRIPT,
    pipeStdin: true,
    started: (processId) => {
      begun = (async () => {
        if (isWatched) watcher = await watchWithoutReading(server.url, processId);
        begin = performance.now();
        await client.call('process/write', { processId, chunk: 'Cg==', writeId: randomUUID() });
      })();
    },
  });
  const ms = performance.now() - begin;
  await begun;
  watcher?.terminate();
  return BYTES / 1000 / ms;
}

/** Opens the watch, and takes nothing more from its socket. */
async function watchWithoutReading(url: string, processId: string): Promise<WebSocket> {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  const call = (id: number, method: string, params: unknown): Promise<{ result: Record<string, unknown> }> =>
    new Promise((resolve) => {
      const onMessage = (data: WebSocket.RawData): void => {
        const message = JSON.parse(String(data)) as { id?: number; result: Record<string, unknown> };
        if (message.id !== id) return;
        socket.off('message', onMessage);
        resolve(message);
      };
      socket.on('message', onMessage);
      socket.send(JSON.stringify({ id, method, params }));
    });
  await call(1, 'initialize', { clientName: 'bench', role: 'observer' });
  socket.send('{"method":"initialized"}');
  const { result } = await call(2, 'observe/processes', {});
  const processes = result['processes'] as { session: string; process: { processId: string } }[];
  const session = processes.find(({ process }) => process.processId === processId)?.session;
  await call(3, 'observe/open', { session, processId, watch: 'bench' });
  socket.pause();
  return socket;
}

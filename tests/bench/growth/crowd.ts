// Many processes or many connections that do nothing, for as long as something is measured beside them.
import { BenchClient } from '../subjects/bench-client.js';

export type CrowdKind = 'processes' | 'connections';

export interface Crowd {
  /** Milliseconds that making one of them took, many under way at a time. */
  readonly msEach: number;
  leave(): Promise<void>;
}

const AT_ONCE = 20;

export async function gather(kind: CrowdKind, count: number, url: string): Promise<Crowd> {
  const begin = performance.now();
  const leave = kind === 'processes' ? await startProcesses(count, url) : await openConnections(count, url);
  return { msEach: (performance.now() - begin) / count, leave };
}

async function openConnections(count: number, url: string): Promise<() => Promise<void>> {
  const clients: BenchClient[] = [];
  await inBatches(count, async () => void clients.push(await BenchClient.connect(url)));
  return async () => {
    for (const client of clients) client.close();
  };
}

/** Held by one client. */
async function startProcesses(count: number, url: string): Promise<() => Promise<void>> {
  const client = await BenchClient.connect(url);
  const ids: string[] = [];
  const ended: Promise<void>[] = [];
  await inBatches(
    count,
    () =>
      new Promise<void>((resolve, reject) => {
        const started = (processId: string): void => {
          ids.push(processId);
          resolve();
        };
        const run = client.run({ argv: ['sleep', '600'], started });
        run.catch(reject);
        ended.push(run);
      }),
  );
  return async () => {
    await Promise.all(ids.map((processId) => client.call('process/terminate', { processId })));
    await Promise.all(ended);
    client.close();
  };
}

async function inBatches(count: number, make: () => Promise<void>): Promise<void> {
  for (let made = 0; made < count; made += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - made) }, make));
  }
}

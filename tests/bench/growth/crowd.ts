// Many processes or many connections that do nothing, for as long as something is measured beside them.
import { BenchClient } from '../subjects/bench-client.js';

export type CrowdKind = 'processes' | 'connections';

export interface Crowd {
  /** Milliseconds that making one of them took, many under way at a time. */
  readonly msEach: number;
}

const AT_ONCE = 20;

export async function gather(kind: CrowdKind, count: number, url: string): Promise<Crowd> {
  const begin = performance.now();
  await (kind === 'processes' ? startProcesses(count, url) : openConnections(count, url));
  return { msEach: (performance.now() - begin) / count };
}

/** They end with their server. */
async function openConnections(count: number, url: string): Promise<void> {
  await inBatches(count, async () => void (await BenchClient.connect(url)));
}

/** Held by one client. They end with their server. */
async function startProcesses(count: number, url: string): Promise<void> {
  const client = await BenchClient.connect(url);
  await inBatches(
    count,
    () =>
      new Promise<void>((resolve, reject) => {
        client.run({ argv: ['sleep', '600'], started: () => resolve() }).catch(reject);
      }),
  );
}

async function inBatches(count: number, make: () => Promise<void>): Promise<void> {
  for (let made = 0; made < count; made += AT_ONCE) {
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - made) }, make));
  }
}

// What a server's figures are beside 1, 10, 100 and 1,000 processes or connections that do nothing. A fresh server for each
// point: none pays for the one before.
import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../report/statistics.js';
import { timed } from '../scenario.js';
import { startTypist } from '../scenarios/typist.js';
import { BenchClient } from '../subjects/bench-client.js';
import { type ServerCommand, ServerProcess } from '../subjects/server-process.js';
import { type CrowdKind, gather } from './crowd.js';

export const CROWDS = [1, 10, 100, 1000];

/** The figures of one point. */
export interface Point {
  readonly count: number;
  readonly figures: Readonly<Record<string, number>>;
}

export const FIGURES: Readonly<Record<string, string>> = {
  'memory of the whole tree': 'MiB',
  'round trip': 'ms',
  'start to closed': 'ms',
  'keystroke echo': 'ms',
  'one more': 'ms',
};

export async function takePoint(command: ServerCommand, kind: CrowdKind, count: number): Promise<Point> {
  const server = await ServerProcess.start(command);
  const patience = new AbortController();
  try {
    const late = delay(PATIENCE_MS, undefined, { signal: patience.signal }).then(() => {
      throw new Error(`not done within ${PATIENCE_MS / 1000} s`);
    });
    late.catch(() => undefined);
    return await Promise.race([measureBeside(server, kind, count), late]);
  } finally {
    patience.abort();
    await server.stop();
  }
}

async function measureBeside(server: ServerProcess, kind: CrowdKind, count: number): Promise<Point> {
  const crowd = await gather(kind, count, server.url);
  const client = await BenchClient.connect(server.url);
  const memory = server.treeMiB();
  const roundTrip = await medianOf(300, 1000, () => client.call('environment/status', null));
  const start = await medianOf(20, 10, () => client.run({ argv: ['/bin/true'] }));
  const type = await startTypist(client);
  const echo = await medianOf(100, 100, type);
  client.close();
  return {
    count,
    figures: {
      'memory of the whole tree': memory,
      'round trip': roundTrip,
      'start to closed': start,
      'keystroke echo': echo,
      'one more': crowd.msEach,
    },
  };
}

/** For one point; a server that has not done it by then has none there. */
const PATIENCE_MS = 30_000;

/** A slow column gets fewer samples and not more time. */
const BUDGET_MS = 1000;

async function medianOf(samples: number, warmUps: number, action: () => Promise<unknown>): Promise<number> {
  await repeat(warmUps, action);
  return median(await repeat(samples, action));
}

async function repeat(times: number, action: () => Promise<unknown>): Promise<number[]> {
  const taken: number[] = [];
  const end = performance.now() + BUDGET_MS;
  while (taken.length < times && (taken.length < 3 || performance.now() < end)) {
    taken.push(await timed(action));
  }
  return taken;
}

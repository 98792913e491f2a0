// What a scenario is: a way to take one sample from a server, and how to read the figure.
import type { BenchClient } from './bench-client.js';
import type { ServerProcess } from './server-process.js';

export interface BenchContext {
  readonly client: BenchClient;
  readonly server: ServerProcess;
  /** A folder of its own on the machine under test. */
  readonly folder: string;
}

export interface Scenario {
  readonly name: string;
  readonly unit: 'ms' | 'MB/s' | '/s' | 'MiB';
  /** Takes this many samples per round; a round is one server, then the next. */
  readonly samplesPerRound: number;
  /** What our figure should be against the real server's: at least this many times better. */
  readonly goal?: number;
  sample(context: BenchContext): Promise<number>;
}

export const isBetterWhenLower = (unit: Scenario['unit']): boolean => unit === 'ms' || unit === 'MiB';

export async function timed(action: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await action();
  return performance.now() - begin;
}

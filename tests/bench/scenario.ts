// What a scenario is: a way to take one sample from a server, the same thing done by OpenSSH and by Node alone where
// they can do it, and how to read the figure.
import type { BareNode } from './subjects/bare-node.js';
import type { BenchClient } from './subjects/bench-client.js';
import type { ServerProcess } from './subjects/server-process.js';
import type { SshHost } from './subjects/ssh-host.js';

export interface BenchContext {
  readonly client: BenchClient;
  readonly server: ServerProcess;
  /** A folder of its own on the machine under test, outside the temporary folder. */
  readonly folder: string;
}

/** Something that stands around while samples are taken, such as many processes or connections. */
export interface Stage {
  /** Returns what takes it down. */
  set(context: BenchContext): Promise<() => Promise<void>>;
}

export interface Scenario {
  readonly name: string;
  readonly unit: 'ms' | 'MB/s' | '/s' | 'MiB';
  /** Takes this many samples per round; a round is one server, then the next. */
  readonly samplesPerRound: number;
  /** Samples taken before them and thrown away. Default: a fifth, or none where there is one. */
  readonly warmUps?: number;
  /** What our figure should be against the real server's: at least this many times better. */
  readonly goal?: number;
  /** The same against OpenSSH's. */
  readonly goalOverSsh?: number;
  /** How much longer than Node alone it may take. */
  readonly goalBeyondNodeMs?: number;
  /** What it may be at most, in the scenario's own unit. */
  readonly goalAtMost?: number;
  /** The same object in scenarios that follow each other is set once for all of them. */
  readonly stage?: Stage;
  /** True where it matters to the real server how soon its client's kernel acknowledges. */
  readonly isAckSensitive?: boolean;
  /** True where only this project's server has what is measured. */
  readonly isOursOnly?: boolean;
  sample(context: BenchContext): Promise<number>;
  ssh?(host: SshHost, folder: string): Promise<number>;
  node?(node: BareNode, folder: string): Promise<number>;
}

export const isBetterWhenLower = (unit: Scenario['unit']): boolean => unit === 'ms' || unit === 'MiB';

export async function timed(action: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await action();
  return performance.now() - begin;
}

// One sample of each scenario on one client.

import type { ExecServerClient } from '@codex/exec-client';

export interface Scenario {
  readonly name: string;
  readonly unit: 'ms' | 'MB/s';
  readonly samplesPerRound: number;
  prepare?(client: ExecServerClient): Promise<void>;
  sample(client: ExecServerClient): Promise<number>;
}

const BULK_BYTES = 256 * 1024 * 1024;
const shells = new WeakMap<ExecServerClient, Awaited<ReturnType<ExecServerClient['spawn']>>>();

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const began = performance.now();
  await work();
  return performance.now() - began;
};

export const SCENARIOS: readonly Scenario[] = [
  {
    name: 'round trip',
    unit: 'ms',
    samplesPerRound: 300,
    sample: (client) => timed(() => client.fs.stat('/')),
  },
  {
    name: '`/bin/true`, start to closed',
    unit: 'ms',
    samplesPerRound: 60,
    sample: (client) => timed(() => client.run(['/bin/true'])),
  },
  {
    name: 'keystroke echo',
    unit: 'ms',
    samplesPerRound: 150,
    async prepare(client) {
      const shell = await client.spawn(['cat'], { tty: true });
      shells.set(client, shell);
    },
    async sample(client) {
      const shell = shells.get(client);
      if (shell === undefined) return Number.NaN;
      const key = Math.random().toString(36).slice(2, 8);
      const seen = shell.waitFor(key);
      const began = performance.now();
      await shell.stdin.write(key);
      await seen;
      return performance.now() - began;
    },
  },
  {
    name: 'bulk output, pipe',
    unit: 'MB/s',
    samplesPerRound: 1,
    async sample(client) {
      const began = performance.now();
      const process = await client.spawn(['head', '-c', String(BULK_BYTES), '/dev/zero']);
      let bytes = 0;
      for await (const chunk of process.stdout.bytes()) bytes += chunk.length;
      if (bytes !== BULK_BYTES) throw new Error(`${bytes} bytes came instead of ${BULK_BYTES}`);
      return bytes / 1e6 / ((performance.now() - began) / 1000);
    },
  },
];

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

export function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;
}

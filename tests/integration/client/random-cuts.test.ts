// Commands of many sizes and a dialogue side by side, while the connection breaks at random moments.

import { ExecServerClient, ExecServerError, type RemoteProcess } from '@codex/exec-client';
import { expect, it } from 'vitest';
import { cuttingProxy } from './support/cutting-proxy.js';
import { describeOnEveryTarget } from './support/targets.js';

/** The same numbers in every run: mulberry32. */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

describeOnEveryTarget('random cuts', (suite) => {
  /** The real server can drop a start together with its connection; ours may not. */
  async function admitted<T>(work: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        const isDropped = ExecServerError.is(error, 'transport.lost') && error.admitted === 'unknown';
        if (suite.name !== 'real codex' || !isDropped) throw error;
      }
    }
  }

  interface Counting {
    readonly client: ExecServerClient;
    readonly random: () => number;
    /** However fast the machine is, it is cut a few times meanwhile. */
    readonly wasCutEnough: () => boolean;
  }

  async function countLines({ client, random, wasCutEnough }: Counting): Promise<void> {
    for (let round = 0; round < 10 || !wasCutEnough(); round++) {
      const count = 1 + Math.floor(random() * 30_000);
      const exitCode = round % 100;
      const result = await admitted(async () => client.run(`seq 1 ${count}; exit ${exitCode}`));
      expect(result.exitCode).toBe(exitCode);
      expect(result.stdout.complete).toBe(true);
      expect(result.stdout.lines).toHaveLength(count);
      expect(result.stdout.lines.every((line, index) => line === String(index + 1))).toBe(true);
    }
  }

  async function echo(process: RemoteProcess, random: () => number): Promise<void> {
    let sent = '';
    for (let index = 0; index < 150; index++) {
      const line = `${index}:${'x'.repeat(Math.floor(random() * 3000))}\n`;
      sent += line;
      await process.stdin.write(line);
    }
    await process.waitFor(/149:x*\n/, { timeoutMs: 30_000 });
    const { output } = await process.yieldWindow({ ms: 0 });
    expect(output.text === sent).toBe(true);
  }

  it('lose, double and reorder nothing', async () => {
    const random = randomNumbers(20_260);
    const proxy = await cuttingProxy(suite.target());
    const client = await ExecServerClient.connect(proxy.address);
    const over = new AbortController();
    const cutting = (async () => {
      while (!over.signal.aborted) {
        await new Promise((resolve) => setTimeout(resolve, 20 + random() * 150));
        proxy.cut();
      }
    })();
    try {
      const process = await admitted(async () => client.spawn('cat', { stdin: 'pipe' }));
      const counting = { client, random, wasCutEnough: () => proxy.cuts > 4 };
      await Promise.all([
        countLines(counting),
        countLines(counting),
        countLines(counting),
        echo(process, random),
      ]);
    } finally {
      over.abort();
      await cutting;
      await client.close();
      await proxy.close();
    }
  });
});

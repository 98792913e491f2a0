// What an ended process costs while it stays readable.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { serve } from './support/served-server.js';

const COUNT = 100;

it('keeps the few bytes that an ended process said, not the buffers they were read with', async () => {
  const { client: connect } = await serve();
  const client = await connect();
  const run = async (name: string, count: number): Promise<void> => {
    const ids = Array.from({ length: count }, (_, i) => `${name}${i}`);
    await Promise.all(ids.map((id) => client.start(id, ['/bin/echo', 'hi'], { pipeStdin: true })));
    for (const id of ids) await client.untilClosed(id);
  };
  await run('first', 10);
  const before = await bufferBytes();
  await run('p', COUNT);
  const after = await bufferBytes();
  expect((await client.call<{ processes: unknown[] }>('process/list', {})).processes.length).toBe(COUNT + 10);
  expect((after - before) / COUNT).toBeLessThan(16 * 1024);
});

async function bufferBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  for (let i = 0; i < 3; i++) {
    collect();
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return process.memoryUsage().arrayBuffers;
}

// Many requests, many processes, and nothing left of them.
import { describe, expect, it } from 'vitest';
import { childrenOf, openFiles, residentBytes } from './support/ps.js';
import { shell } from './support/raw-client.js';
import { serve } from './support/served-server.js';
import { spawnServer } from './support/server-process.js';
import { times } from './support/soak.js';

const MB = 1_000_000;

describe('load', () => {
  it('2,000 pipelined requests are all answered', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    await client.start('p', ['/bin/cat'], { pipeStdin: true });
    const replies = await Promise.all(
      Array.from({ length: 2000 }, (_, i) => {
        if (i % 4 === 0) return client.request('process/read', { processId: 'p', waitMs: 50 });
        if (i % 4 === 1)
          return client.request('process/write', { processId: 'p', chunk: 'YQ==', writeId: `${i}` });
        if (i % 4 === 2) return client.request('environment/status', {});
        return client.request('process/list', {});
      }),
    );
    expect(replies.filter(({ error }) => error !== undefined)).toEqual([]);
    await client.call('process/closeStdin', { processId: 'p' });
    await client.untilClosed('p');
    expect(client.bytesOf('p').toString()).toBe('a'.repeat(500));
  });

  it('300 processes run at once, and starting them does not hold up other requests', async () => {
    const { client: connect } = await serve();
    const [client, other] = [await connect(), await connect()];
    const ids = Array.from({ length: 300 }, (_, i) => `p${i}`);
    const starting = ids.map((id, i) =>
      client.start(id, shell(`echo ${i}; read x; echo got $x`), { tty: i % 3 === 0, pipeStdin: true }),
    );
    let slowest = 0;
    const done = new AbortController();
    const probing = (async () => {
      while (!done.signal.aborted) {
        const before = performance.now();
        await other.request('environment/status', {});
        slowest = Math.max(slowest, performance.now() - before);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    })();
    for (const { error } of await Promise.all(starting)) expect(error).toBeUndefined();
    done.abort();
    await probing;
    expect(slowest).toBeLessThan(1500);
    await client.until(() => ids.every((id, i) => client.bytesOf(id).toString().startsWith(`${i}`)), 30_000);
    for (const processId of ids)
      void client.request('process/write', { processId, chunk: Buffer.from('x\n').toString('base64') });
    await client.until(() => ids.every((id) => client.has(id, 'process/closed')), 30_000);
    for (const id of ids) expect(client.bytesOf(id).toString()).toContain('got x');
  });

  it('processes one after the other leave no zombie, no descriptor and no memory', async () => {
    const server = await spawnServer();
    const client = await server.client();
    client.keepEvents = false;
    let closed = 0;
    client.onEvent = ({ method }) => {
      if (method === 'process/closed') closed++;
    };
    let started = 0;
    const runMany = async (count: number) => {
      for (let i = 0; i < count; i += 4) {
        const batch = Array.from({ length: 4 }, (_, j) =>
          client.start(`p${started + j}`, ['/bin/echo', 'hello'], { tty: j === 0 }),
        );
        started += 4;
        for (const { error } of await Promise.all(batch)) expect(error).toBeUndefined();
        await client.until(() => closed === started);
      }
    };
    // Past the number of ended processes that stay readable, so that what is kept no longer grows.
    await runMany(times({ usual: 200, soak: 2000 }));
    await server.collectGarbage();
    const before = {
      files: openFiles(server.pid).length,
      memory: residentBytes(server.pid),
      children: childrenOf(server.pid).length,
    };
    await runMany(times({ usual: 300, soak: 8000 }));
    await server.collectGarbage();
    const zombies = () => childrenOf(server.pid).filter(({ state }) => state === 'Z');
    await expect.poll(zombies).toEqual([]);
    // The launcher may keep a supervisor or two ready.
    await expect
      .poll(() => childrenOf(server.pid).length, { timeout: 5000 })
      .toBeLessThanOrEqual(before.children + 2);
    expect(openFiles(server.pid).length).toBeLessThanOrEqual(before.files + 2);
    expect(residentBytes(server.pid) - before.memory).toBeLessThan(24 * MB);
  }, 900_000);
});

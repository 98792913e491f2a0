// Requests of one connection take effect in the order they arrived; those of others do not wait for them.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { base64, makeFifo, setUp } from './support/fs-fixture.js';

describe('pipelined file requests', () => {
  it('see every earlier change and no later one', async () => {
    const { client, at } = await setUp();
    const text = 'x'.repeat(100_000);
    const rounds = 50;
    const replies = await Promise.all(
      Array.from({ length: rounds }, (_, round) => [
        client.write(at('file'), `${round}${text}`),
        client.read(at('file')),
        client.call<{ size: number }>('fs/getMetadata', { path: at('file') }),
      ]).flat(),
    );
    for (let round = 0; round < rounds; round += 1) {
      const expected = `${round}${text}`;
      expect((replies[round * 3 + 1] as string).slice(0, 4)).toBe(expected.slice(0, 4));
      expect((replies[round * 3 + 2] as { size: number }).size).toBe(expected.length);
    }
  });

  it('hold for every kind of change, whatever path names the file', async () => {
    const { client, at, uri } = await setUp();
    const replies = await Promise.allSettled([
      client.call('fs/createDirectory', { path: at('a') }),
      client.write(uri('a/file'), '1'),
      client.call('fs/rename', { sourcePath: at('a'), destinationPath: at('b') }),
      client.read(at('b/file')),
      client.read(at('a/file')),
      client.call('fs/copy', { sourcePath: at('b'), destinationPath: at('c'), recursive: true }),
      client.call('fs/remove', { path: at('b') }),
      client.read(at('c/file')),
      client.read(at('b/file')),
      client.call('fs/open', { handleId: 'w', path: at('d'), mode: 'replace' }),
      client.call('fs/writeBlock', { handleId: 'w', offset: 0, chunk: base64('block') }),
      client.read(at('d')),
    ]);
    const seen = [3, 4, 7, 8, 11].map((index) => {
      const reply = replies[index] as PromiseSettledResult<unknown>;
      return reply.status === 'fulfilled' ? reply.value : (reply.reason as { code: number }).code;
    });
    expect(seen).toEqual(['1', -32004, '1', -32004, 'block']);
  });

  it('of another connection do not wait', async () => {
    const { client, at, connect } = await setUp();
    const other = await connect();
    mkdirSync(at('tree'));
    for (let index = 0; index < 3000; index += 1) writeFileSync(at(`tree/${index}`), '');
    writeFileSync(at('file'), 'text');
    const order: string[] = [];
    const removal = client.call('fs/remove', { path: at('tree') }).then(() => order.push('removal'));
    const read = other.read(at('file')).then(() => order.push('read'));
    await Promise.all([removal, read]);
    expect(order).toEqual(['read', 'removal']);
  });

  it('are refused at once for what would block, so nothing behind them waits', async () => {
    const { client, at } = await setUp();
    makeFifo(at('fifo'));
    writeFileSync(at('file'), 'text');
    const replies = await Promise.allSettled([
      client.read(at('fifo')),
      client.write(at('fifo'), 'x'),
      client.read(at('file')),
    ]);
    expect(replies.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });

  it('may be many at once', async () => {
    const { client, at } = await setUp();
    writeFileSync(at('file'), Buffer.alloc(3 * 1024 * 1024, 'x'));
    const sizes = await Promise.all(
      Array.from({ length: 40 }, async () => (await client.read(at('file'))).length),
    );
    expect(new Set(sizes)).toEqual(new Set([3 * 1024 * 1024]));
    const metadata = await Promise.all(
      Array.from({ length: 1000 }, () => client.call('fs/getMetadata', { path: at('file') })),
    );
    expect(metadata).toHaveLength(1000);
  });

  it('that had not started when the connection ended change nothing', async () => {
    const { client, at, connect } = await setUp();
    const other = await connect();
    mkdirSync(at('tree'));
    for (let index = 0; index < 2000; index += 1) writeFileSync(at(`tree/${index}`), '');
    writeFileSync(at('file'), 'old');
    const pending = [client.call('fs/remove', { path: at('tree') }), client.write(at('file'), 'new')];
    for (const request of pending) request.catch(() => undefined);
    await other.call('fs/getMetadata', { path: at('file') });
    client.peer.close();
    await client.peer.closed;
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(readFileSync(at('file'), 'utf8')).toBe('old');
  });
});

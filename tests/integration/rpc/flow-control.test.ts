import { encodeOutputNotification } from '@codex/exec-protocol';
import { connectWebSocket } from '@codex/exec-rpc/ws';
import { describe, expect, it, vi } from 'vitest';
import { nextMessage, plainClient, startListener } from '../listener/support/listener-fixture.js';

const MIB = 1024 * 1024;

describe('a reader that does not keep up', () => {
  it('holds its bulk sources, not our memory, and still gets its replies ahead of them', async () => {
    const { url, peers, channels } = await startListener();
    const socket = await plainClient(url);
    await expect.poll(() => peers).toHaveLength(1);
    const block = Buffer.alloc(64 * 1024, 0x61);
    let pulled = 0;
    let limit = Number.POSITIVE_INFINITY;
    for (const processId of ['a', 'b']) {
      peers[0]?.addBulkSource({
        next: () => {
          if (pulled >= limit) return undefined;
          pulled++;
          return encodeOutputNotification({ processId, seq: pulled, stream: 'stdout' }, block);
        },
      });
    }
    socket.pause();
    // The kernel's buffers fill up, then everything stands still.
    let before = -1;
    await vi.waitFor(
      () => {
        const same = pulled === before;
        before = pulled;
        expect(same).toBe(true);
      },
      { interval: 200, timeout: 10_000 },
    );
    const buffered = channels[0]?.bufferedBytes ?? 0;
    expect(buffered).toBeGreaterThan(0);
    expect(buffered).toBeLessThan(2 * MIB);
    const unread = pulled;
    limit = unread + 2000;
    let seen = 0;
    let replyAfter = -1;
    const done = new Promise<void>((resolve) => {
      socket.on('message', (data: Buffer) => {
        if (data.includes('"result"')) {
          replyAfter = seen;
          resolve();
        } else {
          seen++;
        }
      });
    });
    socket.send('{"id":1,"method":"echo","params":"control"}');
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.resume();
    await done;
    // At most what was already with the transport stands before the reply.
    expect(replyAfter).toBeLessThanOrEqual(unread + 16);
  });

  it('is no longer asked for more when its replies pile up, and loses none of them', async () => {
    const reply = 'x'.repeat(100_000);
    const { url, peers, channels } = await startListener(
      {},
      { onRequest: () => reply, limits: { maxQueuedReplyBytes: 4 * MIB } },
    );
    const socket = await plainClient(url);
    socket.pause();
    for (let id = 0; id < 3000; id++)
      socket.send(JSON.stringify({ id, method: 'big', params: 'y'.repeat(2000) }));
    await expect.poll(() => peers[0]?.stats.readPauses).toBeGreaterThan(0);
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(channels[0]?.bufferedBytes ?? 0).toBeLessThan(16 * MIB);
    expect(peers[0]?.stats.requests ?? 0).toBeLessThan(3000);
    let answered = 0;
    const done = new Promise<void>((resolve) => {
      socket.on('message', () => {
        if (++answered === 3000) resolve();
      });
    });
    socket.resume();
    await done;
  });

  it('does not slow another connection down', async () => {
    const { url, peers } = await startListener();
    const stuck = await plainClient(url);
    stuck.pause();
    await expect.poll(() => peers).toHaveLength(1);
    const block = Buffer.alloc(256 * 1024);
    peers[0]?.addBulkSource({
      next: () => encodeOutputNotification({ processId: 'p', seq: 1, stream: 'stdout' }, block),
    });
    const socket = await plainClient(url);
    const started = performance.now();
    for (let id = 0; id < 200; id++) {
      socket.send(JSON.stringify({ id, method: 'echo' }));
      await nextMessage(socket);
    }
    expect(performance.now() - started).toBeLessThan(2000);
  });
});

describe('signs of life', () => {
  it('answers a probe while the other end lives, and not when it is silent', async () => {
    const { url, channels } = await startListener();
    const client = await connectWebSocket(url);
    client.start({ message: () => {}, drained: () => {}, closed: () => {} });
    expect(await channels[0]?.probe(2000)).toBe(true);
    expect(await client.probe(2000)).toBe(true);
    client.pause();
    expect(await channels[0]?.probe(200)).toBe(false);
    client.close();
    await expect.poll(() => channels[0]?.probe(10)).toBe(false);
  });

  it('ends a connection whose other end went silent, and keeps one that answers', async () => {
    const keepalive = { pingIntervalMs: 50, pongTimeoutMs: 200 };
    const { url, peers } = await startListener({ keepalive });
    const alive = await plainClient(url);
    const dead = await plainClient(url);
    await expect.poll(() => peers).toHaveLength(2);
    dead.pause();
    const end = await peers[1]?.closed;
    expect(end).toEqual({ code: 1006, reason: 'no sign of life for 200 ms', clean: false });
    await new Promise((resolve) => setTimeout(resolve, 400));
    alive.send('{"id":1,"method":"echo","params":"still here"}');
    expect(await nextMessage(alive)).toBe('{"id":1,"result":"still here"}');
  });
});

import { invalidParams, RpcError, WireResult } from '@codex/exec-protocol';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Channel } from './channel.js';
import { createInMemoryChannelPair } from './in-memory-channel.js';
import { RpcPeer, type RpcPeerOptions } from './peer.js';

const ignore = { onRequest: () => null, onNotification: () => {} };

function pair(server: Partial<RpcPeerOptions>, client: Partial<RpcPeerOptions> = {}) {
  const [a, b] = createInMemoryChannelPair();
  return {
    server: new RpcPeer(a, { ...ignore, ...server }),
    client: new RpcPeer(b, { ...ignore, ...client }),
  };
}

/** The raw end of a pair whose other end is a peer. */
function raw(options: Partial<RpcPeerOptions> = {}) {
  const [a, channel] = createInMemoryChannelPair();
  const received: string[] = [];
  const peer = new RpcPeer(a, { ...ignore, ...options });
  channel.start({ message: (text) => received.push(text), drained: () => {}, closed: () => {} });
  return { peer, channel, received };
}

async function arrival(received: readonly string[], count: number): Promise<unknown[]> {
  await expect.poll(() => received.length).toBeGreaterThanOrEqual(count);
  return received.map((text) => JSON.parse(text));
}

function send(channel: Channel, value: unknown): void {
  channel.send(JSON.stringify(value));
}

describe('RpcPeer calls', () => {
  it('fail at once with what the remote end could not take for a message', async () => {
    const { client } = pair({ onRequest: () => 'reached' });
    const call = client.call('echo', { text: '\ud800' });
    await expect(call).rejects.toMatchObject({ code: 'RPC_BAD_MESSAGE' });
    expect(client.stats.pendingCalls).toBe(0);
  });

  it('answers calls in both directions', async () => {
    const { server, client } = pair(
      { onRequest: ({ method, params }) => ({ method, params }) },
      { onRequest: async () => 'from the client' },
    );
    expect(await client.call('a/b', { x: 1 })).toEqual({ method: 'a/b', params: { x: 1 } });
    expect(await server.call('ask', null)).toBe('from the client');
  });

  it('rejects with the RpcError of the remote end, data included', async () => {
    const { client } = pair({
      onRequest: () => {
        throw new RpcError(-32004, 'no such file', { data: { path: '/x' } });
      },
    });
    const error = await client.call('fs/readFile', {}).catch((e: unknown) => e);
    expect(error).toBeInstanceOf(RpcError);
    expect(error).toMatchObject({ code: -32004, message: 'no such file', data: { path: '/x' } });
  });

  it('rejects pending and later calls with RPC_CLOSED when the connection ends', async () => {
    const { server, client } = pair({ onRequest: () => new Promise(() => {}) });
    const pending = client.call('wait', {});
    setImmediate(() => server.close(4001, 'taken over'));
    await expect(pending).rejects.toMatchObject({
      code: 'RPC_CLOSED',
      details: { code: 4001, reason: 'taken over' },
    });
    await expect(client.call('later', {})).rejects.toMatchObject({ code: 'RPC_CLOSED' });
    expect(await client.closed).toEqual({ code: 4001, reason: 'taken over', clean: true });
    expect(client.stats.pendingCalls).toBe(0);
  });

  it('rejects a call over the cap and keeps the others', async () => {
    const { client } = pair({ onRequest: async () => 1 }, { limits: { maxPendingCalls: 2 } });
    const first = client.call('a', {});
    const second = client.call('b', {});
    await expect(client.call('c', {})).rejects.toMatchObject({ code: 'RPC_CALL_LIMIT' });
    expect(await Promise.all([first, second])).toEqual([1, 1]);
    expect(await client.call('d', {})).toBe(1);
  });

  it('rejects a call whose params cannot be encoded, and only that', async () => {
    const { client } = pair({ onRequest: () => 'fine' });
    const loop: Record<string, unknown> = {};
    loop['self'] = loop;
    await expect(client.call('a', loop)).rejects.toMatchObject({ code: 'RPC_BAD_MESSAGE' });
    expect(client.stats.pendingCalls).toBe(0);
    expect(await client.call('b', {})).toBe('fine');
  });

  it('aborts a call; its late answer is counted, not an error', async () => {
    let answer = (_value: unknown): void => {};
    const { client } = pair({
      onRequest: () =>
        new Promise((resolve) => {
          answer = resolve;
        }),
    });
    const controller = new AbortController();
    const call = client.call('slow', {}, { signal: controller.signal });
    setImmediate(() => controller.abort('enough'));
    await expect(call).rejects.toMatchObject({ code: 'RPC_CALL_ABORTED', cause: 'enough' });
    answer('late');
    await expect.poll(() => client.stats.lateResponses).toBe(1);
    await expect(client.call('x', {}, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'RPC_CALL_ABORTED',
    });
  });

  describe('with a fake clock', () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
    afterEach(() => void vi.useRealTimers());

    it('times a call out at its deadline and not before', async () => {
      const { client } = pair({ onRequest: () => new Promise(() => {}) });
      const outcome = vi.fn();
      void client.call('slow', {}, { timeoutMs: 500 }).catch((error: unknown) => outcome(error));
      await vi.advanceTimersByTimeAsync(499);
      expect(outcome).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1);
      expect(outcome).toHaveBeenCalledWith(expect.objectContaining({ code: 'RPC_CALL_TIMEOUT' }));
      expect(client.stats.pendingCalls).toBe(0);
    });

    it('leaves no timer behind when the answer comes in time', async () => {
      const { client } = pair({ onRequest: () => 1 });
      await client.call('quick', {}, { timeoutMs: 500 });
      expect(vi.getTimerCount()).toBe(0);
    });
  });
});

describe('RpcPeer message size', () => {
  it('turns a reply no remote end accepts into an error, and rejects such a call', async () => {
    const limits = { maxSentMessageBytes: 1000 };
    const { client } = pair({ limits, onRequest: ({ params }) => 'x'.repeat(params as number) }, { limits });
    await expect(client.call('a', 2000)).rejects.toMatchObject({
      code: -32603,
      message: expect.stringContaining('1000'),
    });
    await expect(client.call('a', 'x'.repeat(2000))).rejects.toMatchObject({ code: 'RPC_BAD_MESSAGE' });
    expect(await client.call('a', 900)).toHaveLength(900);
  });
});

describe('RpcPeer requests', () => {
  it('runs handlers synchronously in arrival order, whatever their answers wait for', async () => {
    const order: number[] = [];
    const { channel, received } = raw({
      onRequest: ({ params }) => {
        const number = params as number;
        order.push(number);
        return number % 2 === 0 ? number : new Promise((resolve) => setTimeout(resolve, 5, number));
      },
    });
    for (let index = 0; index < 2000; index++) send(channel, { id: index, method: 'n', params: index });
    const replies = await arrival(received, 2000);
    expect(order).toEqual(Array.from({ length: 2000 }, (_, index) => index));
    expect(new Set(replies.map((reply) => (reply as { id: number }).id)).size).toBe(2000);
    expect(replies.slice(0, 1000)).toEqual(
      Array.from({ length: 1000 }, (_, index) => ({ id: index * 2, result: index * 2 })),
    );
  });

  it('refuses requests over the in-flight limit with their own error and recovers', async () => {
    const release: (() => void)[] = [];
    const { channel, received, peer } = raw({
      limits: { maxInFlightRequests: 2 },
      onRequest: () => new Promise<void>((resolve) => release.push(resolve)),
    });
    for (const id of [1, 2, 3]) send(channel, { id, method: 'wait' });
    const [refusal] = await arrival(received, 1);
    expect(refusal).toMatchObject({
      id: 3,
      error: { code: -32600, message: expect.stringContaining('limit 2') },
    });
    for (const resolve of release) resolve();
    expect((await arrival(received, 3)).slice(1)).toEqual([
      { id: 1, result: null },
      { id: 2, result: null },
    ]);
    expect(peer.stats).toMatchObject({ refusedRequests: 1, inFlightRequests: 0 });
    send(channel, { id: 4, method: 'wait' });
    await expect.poll(() => peer.stats.inFlightRequests).toBe(1);
  });

  it('tells the remote end nothing about an unexpected failure and the logger everything', async () => {
    const error = vi.fn();
    const { channel, received, peer } = raw({
      logger: { error },
      onRequest: async ({ method }) => {
        if (method === 'crash') throw new Error('secret path /home/me/.ssh');
        return { toJSON: () => Reflect.get(Object(undefined).nothing, 'x') };
      },
    });
    send(channel, { id: 1, method: 'crash' });
    send(channel, { id: 2, method: 'unserialisable' });
    const replies = await arrival(received, 2);
    for (const reply of replies)
      expect(reply).toMatchObject({ error: { code: -32603, message: 'internal error' } });
    expect(error).toHaveBeenCalledWith(
      'handler of crash failed',
      expect.objectContaining({ message: expect.stringContaining('/home/me/.ssh') }),
    );
    expect(peer.stats.internalFailures).toBe(2);
  });

  it('writes encoded results as they are and echoes ids exactly', async () => {
    const { channel, received } = raw({
      onRequest: () => new WireResult(['{"data":"', new Uint8Array([1, 2, 3]), '"}']),
    });
    channel.send('{"id":9007199254740993,"method":"a"}');
    channel.send('{"id":"text","method":"a"}');
    await arrival(received, 2);
    expect(received).toEqual([
      '{"id":9007199254740993,"result":{"data":"AQID"}}',
      '{"id":"text","result":{"data":"AQID"}}',
    ]);
  });

  it('runs what a handler wants done after its reply right after the reply', async () => {
    const { channel, received, peer } = raw({
      onRequest: async (request) => {
        request.afterReply(() => peer.notify('process/output', {}));
        await Promise.resolve();
        return 'started';
      },
    });
    send(channel, { id: 1, method: 'process/start' });
    expect(await arrival(received, 2)).toEqual([
      { id: 1, result: 'started' },
      { method: 'process/output', params: {} },
    ]);
  });

  it('answers a refused notification with id -1 and stays usable', async () => {
    const { channel, received } = raw({
      onRequest: () => 'alive',
      onNotification: ({ method }) => {
        if (method === 'odd') throw invalidParams('no such notification');
      },
    });
    send(channel, { method: 'fine' });
    send(channel, { method: 'odd' });
    send(channel, { id: 1, method: 'ping' });
    expect(await arrival(received, 2)).toEqual([
      { id: -1, error: { code: -32602, message: 'no such notification' } },
      { id: 1, result: 'alive' },
    ]);
  });
});

describe('RpcPeer bad input', () => {
  it('answers malformed text with id -1 and goes on', async () => {
    const { channel, received, peer } = raw({ onRequest: () => 'alive' });
    channel.send('{not json');
    channel.send('[]');
    send(channel, { id: 7, method: 'x' });
    const replies = await arrival(received, 3);
    expect(replies[0]).toMatchObject({
      id: -1,
      error: {
        code: -32600,
        message: expect.stringMatching(/^failed to parse JSON-RPC message from exec-server in-memory: ./),
      },
    });
    expect(replies[2]).toEqual({ id: 7, result: 'alive' });
    expect(peer.stats.malformedMessages).toBe(2);
  });

  it('ignores and counts answers nobody asked for', async () => {
    const { channel, received, peer } = raw({ onRequest: () => 'alive' });
    send(channel, { id: 99, result: 1 });
    send(channel, { id: 'x', error: { code: 1, message: 'm' } });
    send(channel, { id: 1, method: 'x' });
    expect(await arrival(received, 1)).toEqual([{ id: 1, result: 'alive' }]);
    expect(peer.stats.strayResponses).toBe(2);
  });
});

import type { WireMessage } from '@codex/exec-protocol';
import { describe, expect, it, vi } from 'vitest';
import type { Channel, ChannelReceiver } from './channel.js';
import { RpcPeer } from './peer.js';
import type { RpcLimits } from './rpc-limits.js';

/** A transport that takes bytes only when the test says so. */
class StuckChannel implements Channel {
  readonly label = 'exec-server test';
  readonly sent: string[] = [];
  bufferedBytes = 0;
  canSend = true;
  paused = false;
  closedWith: number | undefined;
  receiver: ChannelReceiver | undefined;

  start(receiver: ChannelReceiver): void {
    this.receiver = receiver;
  }
  send(message: WireMessage): void {
    this.sent.push(String(message));
    this.bufferedBytes += String(message).length;
  }
  take(bytes: number): void {
    this.bufferedBytes = Math.max(0, this.bufferedBytes - bytes);
    this.receiver?.drained();
  }
  pause(): void {
    this.paused = true;
  }
  resume(): void {
    this.paused = false;
  }
  probe(): Promise<boolean> {
    return Promise.resolve(true);
  }
  close(code?: number): void {
    this.closedWith = code;
  }
}

function setUp(limits: Partial<RpcLimits> = {}, onRequest: () => unknown = () => 'ok') {
  const channel = new StuckChannel();
  const peer = new RpcPeer(channel, { onRequest, onNotification: () => {}, limits });
  return { channel, peer };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('bulk sources', () => {
  it('are not asked for what would go nowhere', async () => {
    const { channel, peer } = setUp();
    channel.canSend = false;
    const next = vi.fn(() => undefined);
    peer.addBulkSource({ next });
    await settled();
    expect(next).not.toHaveBeenCalled();
  });

  it('are asked in turn, one message each, only while the transport has room', async () => {
    const { channel, peer } = setUp({ bulkMarkBytes: 60 });
    let asked = 0;
    for (const name of ['a', 'b', 'c']) {
      peer.addBulkSource({
        next: () => {
          asked++;
          return name.repeat(10);
        },
      });
    }
    await settled();
    expect(channel.sent.map((text) => text[0]).join('')).toBe('abcabc');
    expect(asked).toBe(6);
    channel.take(20);
    expect(channel.sent.map((text) => text[0]).join('')).toBe('abcabcab');
    await settled();
    expect(asked).toBe(8);
  });

  it('that have nothing are asked again only after wake, without re-entrance', async () => {
    const { channel, peer } = setUp();
    const queue: string[] = [];
    const next = vi.fn(() => queue.shift());
    const handle = peer.addBulkSource({ next });
    await settled();
    expect(next).toHaveBeenCalledTimes(1);
    queue.push('x', 'y');
    handle.wake();
    handle.wake();
    expect(channel.sent).toEqual([]);
    await settled();
    expect(channel.sent).toEqual(['x', 'y']);
    expect(next).toHaveBeenCalledTimes(4);
    handle.remove();
    queue.push('z');
    handle.wake();
    await settled();
    expect(channel.sent).toEqual(['x', 'y']);
  });

  it('let replies and notifications pass while a slow reader holds them up', async () => {
    const { channel, peer } = setUp({ bulkMarkBytes: 1000 });
    peer.addBulkSource({ next: () => 'x'.repeat(100) });
    await settled();
    expect(channel.bufferedBytes).toBe(1000);
    for (let id = 0; id < 5; id++) channel.receiver?.message(`{"id":${id},"method":"m"}`);
    peer.notify('n', {});
    expect(channel.sent.slice(10)).toHaveLength(6);
    expect(channel.sent[10]).toBe('{"id":0,"result":"ok"}');
    await settled();
    expect(channel.sent).toHaveLength(16);
  });

  it('do not keep a turn for ever when messages are tiny', async () => {
    const { channel, peer } = setUp();
    peer.addBulkSource({ next: () => 'x' });
    await settled();
    expect(channel.sent.length).toBeLessThanOrEqual(512);
    channel.take(1e9);
    expect(channel.sent.length).toBeGreaterThan(512);
  });

  it('that fail are removed and reported; the others go on', async () => {
    const { channel, peer } = setUp({ bulkMarkBytes: 5 });
    peer.addBulkSource({
      next: () => {
        throw new Error('broken');
      },
    });
    peer.addBulkSource({ next: () => 'y' });
    await settled();
    expect(channel.sent).toEqual(['y', 'y', 'y', 'y', 'y']);
    expect(peer.stats.internalFailures).toBe(1);
  });

  it('are not asked after the end', async () => {
    const { channel, peer } = setUp({ bulkMarkBytes: 5 });
    const next = vi.fn(() => 'abcde');
    const handle = peer.addBulkSource({ next });
    await settled();
    channel.receiver?.closed({ reason: 'gone', clean: false });
    channel.take(5);
    handle.wake();
    await settled();
    expect(next).toHaveBeenCalledTimes(1);
    peer.notify('n', {});
    expect(channel.sent).toEqual(['abcde']);
  });
});

describe('replies that are not taken', () => {
  it('stop the reading of requests at the limit and start it again below half', () => {
    const { channel, peer } = setUp({ maxQueuedReplyBytes: 100 });
    for (let id = 0; id < 4; id++) channel.receiver?.message(`{"id":${id},"method":"m"}`);
    expect(channel.paused).toBe(false);
    channel.receiver?.message('{"id":4,"method":"m"}');
    expect(channel.paused).toBe(true);
    channel.take(channel.bufferedBytes - 50);
    expect(channel.paused).toBe(true);
    channel.take(1);
    expect(channel.paused).toBe(false);
    expect(peer.stats.readPauses).toBe(1);
  });

  it('close the connection at the hard limit, which only requests already in work can reach', async () => {
    const { channel } = setUp({ maxQueuedBytes: 1000, maxQueuedReplyBytes: 100 }, async () =>
      'x'.repeat(400),
    );
    for (const id of [1, 2, 3]) channel.receiver?.message(`{"id":${id},"method":"m"}`);
    expect(channel.closedWith).toBeUndefined();
    await settled();
    expect(channel.closedWith).toBe(1008);
  });

  it('let a request that arrives after the pause wait until they are taken', async () => {
    let handled = 0;
    const { channel } = setUp({ maxQueuedBytes: 1000, maxQueuedReplyBytes: 100 }, () => {
      handled += 1;
      return 'x'.repeat(400);
    });
    for (const id of [1, 2, 3]) channel.receiver?.message(`{"id":${id},"method":"m"}`);
    await settled();
    expect([handled, channel.closedWith]).toEqual([1, undefined]);
    channel.take(channel.bufferedBytes);
    await settled();
    expect(handled).toBe(2);
  });
});

import { describe, expect, it } from 'vitest';
import type { Channel, ChannelClose } from './channel.js';
import { createInMemoryChannelPair } from './in-memory-channel.js';

function listen(channel: Channel) {
  const log = { messages: [] as string[], ends: [] as ChannelClose[], drained: 0 };
  channel.start({
    message: (text) => log.messages.push(text),
    drained: () => log.drained++,
    closed: (info) => log.ends.push(info),
  });
  return log;
}

const turn = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

describe('in-memory channel', () => {
  it('delivers in order and never synchronously, segments as base64', async () => {
    const [a, b] = createInMemoryChannelPair();
    const log = listen(b);
    listen(a);
    a.send('1');
    a.send(['"', new Uint8Array([0]), '"']);
    expect(log.messages).toEqual([]);
    expect(a.bufferedBytes).toBe(7);
    await turn();
    expect(log.messages).toEqual(['1', '"AA=="']);
    expect(a.bufferedBytes).toBe(0);
  });

  it('keeps what is sent before the start', async () => {
    const [a, b] = createInMemoryChannelPair();
    a.send('early');
    await turn();
    const log = listen(b);
    await turn();
    expect(log.messages).toEqual(['early']);
  });

  it('holds messages while the other end is paused and reports the drain after', async () => {
    const [a, b] = createInMemoryChannelPair();
    const sender = listen(a);
    const log = listen(b);
    b.pause();
    a.send('12345');
    await turn();
    expect([log.messages.length, a.bufferedBytes, sender.drained]).toEqual([0, 5, 0]);
    b.resume();
    await turn();
    expect([log.messages.length, a.bufferedBytes, sender.drained]).toEqual([1, 0, 1]);
  });

  it('ends both sides once, after what was sent before, even when paused', async () => {
    const [a, b] = createInMemoryChannelPair();
    const left = listen(a);
    const right = listen(b);
    b.pause();
    a.send('last');
    a.close(1000, 'bye');
    a.close();
    b.close();
    a.send('too late');
    await turn();
    const end = { code: 1000, reason: 'bye', clean: true };
    expect(left.ends).toEqual([end]);
    expect(right.ends).toEqual([end]);
    expect(right.messages.length).toBeLessThanOrEqual(1);
    expect(await a.probe(1)).toBe(false);
  });

  it('delivers the last words of the end that closes', async () => {
    const [a, b] = createInMemoryChannelPair();
    listen(a);
    const right = listen(b);
    a.send('last');
    a.close();
    await turn();
    expect(right.messages).toEqual(['last']);
    expect(right.ends).toHaveLength(1);
  });
});

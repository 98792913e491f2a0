// One memory for the reads of all sockets: whether this Node's sockets can be told so, and that nobody sees what others read.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { WebSocketListener } from '@codex/exec-listener';
import { connectWebSocket } from '@codex/exec-rpc/ws';
import { expect, it, onTestFinished } from 'vitest';
import {
  canShareReads,
  isOfSharedRead,
  shareReads,
} from '../../../packages/rpc/src/ws/reads/shared-reads.js';

async function pair(): Promise<{ readonly ours: Socket; readonly theirs: Socket }> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const theirs = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [ours] = (await once(server, 'connection')) as [Socket];
  onTestFinished(() => {
    ours.destroy();
    theirs.destroy();
    server.close();
  });
  return { ours, theirs };
}

it('an accepted socket of this Node can be read so, once, and stops while it is paused', async () => {
  const { ours, theirs } = await pair();
  expect(canShareReads(ours)).toBe(true);
  const seen: string[] = [];
  let areShared = true;
  ours.on('data', (bytes: Buffer) => {
    areShared &&= isOfSharedRead(bytes);
    seen.push(bytes.toString());
  });
  const taker = {
    isBetweenLongFrames: false,
    room: () => undefined,
    filled: () => false,
    afterRead: () => undefined,
  };
  expect(shareReads(ours, taker)).toBe(true);
  expect(canShareReads(ours)).toBe(false);
  theirs.write('one');
  await expect.poll(() => seen).toEqual(['one']);
  ours.pause();
  theirs.write('two');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(seen).toEqual(['one']);
  ours.resume();
  await expect.poll(() => seen).toEqual(['one', 'two']);
  expect(areShared).toBe(true);
});

it('reads what belongs to a room straight into it, in order with the rest', async () => {
  const { ours, theirs } = await pair();
  const sent = Buffer.from(Array.from({ length: 600_000 }, (_, index) => index % 251));
  const seen: Buffer[] = [];
  ours.on('data', (bytes: Buffer) => void seen.push(Buffer.from(bytes)));
  let room = Buffer.alloc(0);
  let inPlaceBytes = 0;
  shareReads(ours, {
    isBetweenLongFrames: false,
    room: () => {
      room = Buffer.alloc(10_007);
      return room;
    },
    filled: (count) => {
      inPlaceBytes += count;
      seen.push(room.subarray(0, count));
      return true;
    },
    afterRead: () => undefined,
  });
  theirs.write(sent);
  await expect.poll(() => Buffer.concat(seen).length).toBe(sent.length);
  expect(Buffer.concat(seen).equals(sent)).toBe(true);
  expect(inPlaceBytes).toBeGreaterThan(100_000);
});

it('reads little of what a long frame is expected to begin with', async () => {
  const { ours, theirs } = await pair();
  const lengths: number[] = [];
  ours.on('data', (bytes: Buffer) => void lengths.push(bytes.length));
  shareReads(ours, {
    isBetweenLongFrames: true,
    room: () => undefined,
    filled: () => false,
    afterRead: () => undefined,
  });
  theirs.write('x');
  await expect.poll(() => lengths).toEqual([1]);
  theirs.write(Buffer.alloc(100_000));
  await expect.poll(() => lengths.reduce((sum, length) => sum + length, 0)).toBe(100_001);
  expect(Math.max(...lengths)).toBe(16 * 1024);
});

it('the messages of many clients of one server do not mix', async () => {
  const heard = new Map<string, string[]>();
  const listener = await WebSocketListener.listen({
    host: '127.0.0.1',
    port: 0,
    onChannel: (channel) =>
      channel.start({
        message: (text) => {
          const { from, body } = JSON.parse(text) as { from: string; body: string };
          heard.set(from, [...(heard.get(from) ?? []), body]);
        },
        drained: () => undefined,
        closed: () => undefined,
      }),
  });
  onTestFinished(() => listener.close());
  const channels = await Promise.all(Array.from({ length: 8 }, () => connectWebSocket(listener.url)));
  for (const channel of channels)
    channel.start({ message: () => undefined, drained: () => undefined, closed: () => undefined });
  const bodyOf = (client: number, index: number): string =>
    `${client}.${index} `.repeat(1 + ((index * 997) % 9000));
  for (let index = 0; index < 60; index++) {
    for (const [client, channel] of channels.entries())
      channel.send(JSON.stringify({ from: String(client), body: bodyOf(client, index) }));
    if (index % 7 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  const total = () => [...heard.values()].reduce((sum, bodies) => sum + bodies.length, 0);
  await expect.poll(total, { timeout: 10_000 }).toBe(8 * 60);
  for (const client of channels.keys())
    expect(heard.get(String(client))?.every((body, index) => body === bodyOf(client, index))).toBe(true);
  for (const channel of channels) channel.close();
});

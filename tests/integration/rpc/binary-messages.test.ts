// Binary messages over a real websocket, mixed with text, in both directions at once. Everything that arrives is kept to the
// end and compared then: memory that is used again too early would show.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { WebSocketListener } from '@codex/exec-listener';
import { encodeNotification, encodeOutputNotification, PAYLOAD_MEMBERS } from '@codex/exec-protocol';
import { type IncomingNotification, RpcPeer } from '@codex/exec-rpc';
import { connectWebSocket } from '@codex/exec-rpc/ws';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type WebSocket, WebSocketServer } from 'ws';

const SIZES = [
  0, 1, 13, 125, 126, 1000, 4096, 16_000, 65_400, 65_536, 70_000, 140_000, 262_144, 400_000, 524_288,
  1_048_576, 1_100_000, 4_194_304, 6_000_000,
];
const MESSAGES = 300;

/** The same numbers in every run. */
function sizeOf(index: number): number {
  const size = SIZES[(index * 7 + (index >> 3)) % SIZES.length] ?? 0;
  return index % 40 === 0 ? size : Math.min(size, 300_000);
}

describe('binary messages', () => {
  it('arrive whole and in order among text messages, both ways at once', async () => {
    const heard: { readonly bytes: Buffer; readonly isBinary: boolean }[] = [];
    let server: RpcPeer | undefined;
    const listener = await WebSocketListener.listen({
      host: '127.0.0.1',
      port: 0,
      onChannel: (channel) => {
        server = new RpcPeer(channel, {
          payloadMembers: PAYLOAD_MEMBERS,
          onNotification: () => undefined,
          onRequest: ({ params, payload }) => {
            const { dataBase64 = '' } = params as { dataBase64?: string };
            heard.push({
              isBinary: payload !== undefined && dataBase64 === '',
              bytes: Buffer.from(payload?.bytes ?? Buffer.from(dataBase64, 'base64')),
            });
            payload?.free();
            return {};
          },
        });
        server.acceptBinary();
        server.sendBinary();
      },
    });
    onTestFinished(() => listener.close());
    const events: IncomingNotification[] = [];
    const client = new RpcPeer(await connectWebSocket(listener.url), {
      payloadMembers: PAYLOAD_MEMBERS,
      onNotification: (notification) => void events.push(notification),
      onRequest: () => ({}),
    });
    client.acceptBinary();
    client.sendBinary();
    await client.call('fs/writeFile', { path: '/x', dataBase64: new Uint8Array(1) });
    const sent = Array.from({ length: MESSAGES }, (_, index) => randomBytes(sizeOf(index)));
    const calls: Promise<unknown>[] = [];
    let next = 0;
    const source = server?.addBulkSource({
      next: () => {
        const index = next++;
        const bytes = sent[index >> 1];
        if (bytes === undefined) return undefined;
        if (index % 2 === 1) return encodeNotification('text', { index: index >> 1 });
        return encodeOutputNotification({ processId: 'p', seq: index >> 1, stream: 'stdout' }, bytes);
      },
    });
    for (const [index, bytes] of sent.entries()) {
      calls.push(client.call('fs/writeFile', { path: '/x', dataBase64: bytes }));
      if (index % 3 === 0) calls.push(client.call('text', { dataBase64: 'dGV4dA==' }));
      if (index % 11 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    await Promise.all(calls);
    await expect.poll(() => events.length).toBe(2 * MESSAGES);
    source?.remove();
    const written = heard.slice(1).filter(({ isBinary }) => isBinary);
    expect(written.map(({ bytes }, index) => bytes.equals(sent[index] ?? bytes))).not.toContain(false);
    expect(written).toHaveLength(MESSAGES);
    for (const [index, { method, params }] of events.entries()) {
      const { chunk } = params as { chunk?: Uint8Array };
      if (index % 2 === 1) expect([method, params]).toEqual(['text', { index: index >> 1 }]);
      else expect(Buffer.compare(chunk ?? Buffer.alloc(1), sent[index >> 1] ?? Buffer.alloc(0))).toBe(0);
    }
    client.close();
  });

  it('come from another server in small fragments, with pings between them and pauses', async () => {
    const payload = randomBytes(300_000);
    const text = `{"method":"process/output","params":{"chunk":${payload.length}}}`;
    const header = Buffer.alloc(9);
    header[0] = 1;
    header.writeUInt32BE(text.length, 1);
    header.writeUInt32BE(payload.length, 5);
    const message = Buffer.concat([header, Buffer.from(text), payload]);
    const other = new WebSocketServer({ host: '127.0.0.1', port: 0 });
    onTestFinished(() => other.close());
    const sendAll = async (socket: WebSocket): Promise<void> => {
      for (let round = 0; round < 3; round++) {
        for (let at = 0; at < message.length; at += 7_000) {
          socket.send(message.subarray(at, at + 7_000), { binary: true, fin: at + 7_000 >= message.length });
          if (at % 21_000 === 0) socket.ping('between');
          if (at % 49_000 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
        }
      }
    };
    other.on('connection', (socket) => void sendAll(socket));
    await once(other, 'listening');
    const { port } = other.address() as AddressInfo;
    const chunks: Uint8Array[] = [];
    const peer = new RpcPeer(await connectWebSocket(`ws://127.0.0.1:${port}`), {
      payloadMembers: PAYLOAD_MEMBERS,
      onNotification: ({ params }) => void chunks.push((params as { chunk: Uint8Array }).chunk),
      onRequest: () => ({}),
    });
    peer.acceptBinary();
    await expect.poll(() => chunks.length, { timeout: 10_000 }).toBe(3);
    for (const chunk of chunks) expect(Buffer.compare(chunk, payload)).toBe(0);
    peer.close();
  });

  it('do not reach a client through a shared read while it is paused, and none is lost', async () => {
    let server: RpcPeer | undefined;
    const listener = await WebSocketListener.listen({
      host: '127.0.0.1',
      port: 0,
      onChannel: (channel) => {
        server = new RpcPeer(channel, { onNotification: () => undefined, onRequest: () => ({}) });
        server.sendBinary();
      },
    });
    onTestFinished(() => listener.close());
    const channel = await connectWebSocket(listener.url);
    const seen: number[] = [];
    channel.start({
      message: () => undefined,
      binaryMessage: (bytes) => {
        seen.push(bytes.at(-1) ?? -1);
        if (seen.length % 20 === 0) {
          channel.pause();
          setTimeout(() => channel.resume(), 5);
        }
      },
      drained: () => undefined,
      closed: () => undefined,
    });
    channel.binary.accept();
    await expect.poll(() => server).toBeDefined();
    let seq = 0;
    server?.addBulkSource({
      next: () => {
        if (seq === 200) return undefined;
        const bytes = Buffer.alloc(50_000, seq);
        return encodeOutputNotification({ processId: 'p', seq: seq++, stream: 'pty' }, bytes);
      },
    });
    await expect.poll(() => seen.length, { timeout: 10_000 }).toBe(200);
    expect(seen).toEqual(Array.from({ length: 200 }, (_, index) => index % 256));
    channel.close();
  });
});

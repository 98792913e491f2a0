import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { encodeOutputNotification, WireResult } from '@codex/exec-protocol';
import { RpcPeer } from '@codex/exec-rpc';
import { connectWebSocket } from '@codex/exec-rpc/ws';
import { describe, expect, it } from 'vitest';
import { closeCode, nextMessage, plainClient, startListener } from '../listener/support/listener-fixture.js';

const MIB = 1024 * 1024;

describe('websocket messages', () => {
  it('carry requests both ways between two of our peers', async () => {
    const { url, peers } = await startListener();
    const client = new RpcPeer(await connectWebSocket(url), {
      onRequest: ({ method }) => `client got ${method}`,
      onNotification: () => {},
    });
    expect(await client.call('echo', { text: 'grüße 🎉' })).toEqual({ text: 'grüße 🎉' });
    expect(await peers[0]?.call('ask', {})).toBe('client got ask');
    client.close();
    expect(await client.closed).toMatchObject({ clean: true });
    expect(await peers[0]?.closed).toMatchObject({ code: 1000, clean: true });
  });

  it('answers 2000 pipelined requests, all of them, in order', async () => {
    const { url } = await startListener();
    const socket = await plainClient(url);
    const ids: number[] = [];
    const done = new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        ids.push(JSON.parse(String(data)).id);
        if (ids.length === 2000) resolve();
      });
    });
    for (let id = 0; id < 2000; id++) socket.send(JSON.stringify({ id, method: 'echo', params: { id } }));
    await done;
    expect(ids).toEqual(Array.from({ length: 2000 }, (_, id) => id));
  });

  it('accepts JSON in binary frames and answers in text', async () => {
    const { url } = await startListener();
    const socket = await plainClient(url);
    const answer = new Promise<[string, boolean]>((resolve) => {
      socket.once('message', (data, isBinary) => resolve([String(data), isBinary]));
    });
    socket.send(Buffer.from('{"id":1,"method":"echo","params":"ä"}'), { binary: true });
    expect(await answer).toEqual(['{"id":1,"result":"ä"}', false]);
  });

  it('answers malformed text with the websocket wording and its peer address, then goes on', async () => {
    const { url, channels } = await startListener();
    const socket = await plainClient(url);
    socket.send('{nope');
    const error = JSON.parse(await nextMessage(socket));
    expect(error).toMatchObject({ id: -1, error: { code: -32600 } });
    const label = channels[0]?.label ?? '';
    expect(label).toMatch(/^exec-server websocket 127\.0\.0\.1:\d+$/);
    expect(error.error.message.startsWith(`failed to parse websocket JSON-RPC message from ${label}: `)).toBe(
      true,
    );
    socket.send('{"id":2,"method":"echo","params":1}');
    expect(await nextMessage(socket)).toBe('{"id":2,"result":1}');
  });

  it('sends 20 MB as one message in frames of little more than half a MiB at most, with nothing in between', async () => {
    const big = randomBytes(15 * MIB);
    const { url } = await startListener(
      {},
      {
        onRequest: ({ method }) => (method === 'big' ? new WireResult(['{"data":"', big, '"}']) : 'small'),
      },
    );
    const socket = await plainClient(url);
    const frames: number[] = [];
    // @ts-expect-error the receiver is the only place where single frames can be seen
    const receiver = socket._receiver;
    const getData = receiver.getData.bind(receiver);
    let last = -1;
    receiver.getData = (callback: unknown) => {
      if (receiver._opcode < 8 && receiver._totalPayloadLength !== last) {
        last = receiver._totalPayloadLength;
        frames.push(receiver._payloadLength);
      }
      return getData(callback);
    };
    const messages: string[] = [];
    const done = new Promise<void>((resolve) => {
      socket.on('message', (data) => {
        messages.push(String(data));
        if (messages.length === 3) resolve();
      });
    });
    for (const method of ['small', 'big', 'small']) socket.send(JSON.stringify({ id: method, method }));
    await done;
    expect(messages[0]).toBe('{"id":"small","result":"small"}');
    expect(messages[2]).toBe('{"id":"small","result":"small"}');
    expect(Buffer.from(JSON.parse(messages[1] ?? '').result.data, 'base64').equals(big)).toBe(true);
    // Two messages of output of 256 KiB fit into one buffer, with what surrounds them.
    expect(Math.max(...frames)).toBeLessThanOrEqual(MIB / 2 + 4096);
    expect(frames.filter((length) => length > MIB / 4).length).toBeGreaterThanOrEqual(40);
  });

  it('sends a long message whole before it answers a close', async () => {
    const big = randomBytes(20 * MIB);
    const { url } = await startListener({}, { onRequest: () => new WireResult(['{"data":"', big, '"}']) });
    const socket = await plainClient(url);
    const messages: string[] = [];
    socket.on('message', (data) => messages.push(String(data)));
    const closed = new Promise<number>((resolve) => socket.on('close', resolve));
    socket.pause();
    socket.send('{"id":1,"method":"big"}');
    // Until the socket is full and most of the message is not encoded.
    await new Promise((resolve) => setTimeout(resolve, 200));
    socket.close(1000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.resume();
    expect(await closed).toBe(1000);
    expect(messages).toHaveLength(1);
    expect(Buffer.from(JSON.parse(messages[0] ?? '').result.data, 'base64').equals(big)).toBe(true);
  });

  it('carries a 40 MiB message from our client in fragments too', async () => {
    const { url } = await startListener({}, { onRequest: ({ params }) => (params as string).length });
    const client = new RpcPeer(await connectWebSocket(url), { onRequest: () => 1, onNotification: () => {} });
    expect(await client.call('length', 'x'.repeat(40 * MIB))).toBe(40 * MIB);
    client.close();
  });

  it('writes payload segments of every length mod 3 as exact base64', async () => {
    const { url, peers } = await startListener();
    const socket = await plainClient(url);
    await expect.poll(() => peers).toHaveLength(1);
    const lengths = [
      0,
      1,
      2,
      3,
      125,
      126,
      16 * 1024,
      48 * 1024,
      48 * 1024 + 1,
      65_535,
      65_536,
      256 * 1024 + 2,
    ];
    const payloads = lengths.map((length) => randomBytes(length));
    const received: string[] = [];
    socket.on('message', (data) => received.push(String(data)));
    const messages = payloads.map((bytes, seq) =>
      encodeOutputNotification({ processId: 'p"ü', seq, stream: 'stdout' }, bytes),
    );
    peers[0]?.addBulkSource({ next: () => messages.shift() });
    await expect.poll(() => received).toHaveLength(lengths.length);
    for (const [seq, text] of received.entries()) {
      const { params } = JSON.parse(text);
      expect(params).toMatchObject({ processId: 'p"ü', seq });
      expect(params.chunk).toBe(payloads[seq]?.toString('base64'));
    }
  });
});

describe('bad websocket input', () => {
  it('closes with 1009 on a 70 MB message, only that connection', async () => {
    const { url } = await startListener();
    const other = await plainClient(url);
    const socket = await plainClient(url);
    const code = closeCode(socket);
    socket.send(`{"id":1,"method":"echo","params":"${'x'.repeat(70_000_000)}"}`);
    expect(await code).toBe(1009);
    other.send('{"id":1,"method":"echo","params":"alive"}');
    expect(await nextMessage(other)).toBe('{"id":1,"result":"alive"}');
  });

  it.each([
    ['text', false],
    ['binary', true],
  ])('closes with 1007 on bytes that are not UTF-8 in a %s frame', async (_name, binary) => {
    const { url, peers } = await startListener();
    const socket = await plainClient(url);
    const code = closeCode(socket);
    socket.send(Buffer.from([0x22, 0xc3, 0x28, 0x22]), { binary });
    expect(await code).toBe(1007);
    expect(await peers[0]?.closed).toMatchObject({ code: 1007, clean: false });
  });

  it('closes with 1007 on a close frame whose reason is not UTF-8', async () => {
    const { url, peers } = await startListener();
    const socket = await plainClient(url);
    const code = closeCode(socket);
    const masked = Buffer.from([0x88, 0x83, 0, 0, 0, 0, 0x03, 0xe8, 0xff]);
    (Reflect.get(socket, '_socket') as Socket).write(masked);
    expect(await code).toBe(1007);
    expect(await peers[0]?.closed).toMatchObject({ code: 1007, clean: false });
  });

  it('does not negotiate compression and closes with 1002 on a compressed or unmasked frame', async () => {
    const { url } = await startListener();
    const socket = await plainClient(url, { perMessageDeflate: true });
    expect(socket.extensions).toBe('');
    for (const frame of [Buffer.from([0xc1, 0x81, 0, 0, 0, 0, 0x31]), Buffer.from([0x81, 0x01, 0x31])]) {
      const victim = await plainClient(url);
      const code = closeCode(victim);
      // @ts-expect-error only the raw socket can send what the library refuses to
      victim._socket.write(frame);
      expect(await code).toBe(1002);
    }
  });

  it('does not let unanswered pongs pile up for a client that pings and does not read', async () => {
    const { url, channels } = await startListener();
    const socket = await plainClient(url);
    socket.pause();
    const payload = Buffer.alloc(125);
    let highest = 0;
    for (let round = 0; round < 400; round++) {
      for (let index = 0; index < 500; index++) socket.ping(payload);
      await new Promise((resolve) => setImmediate(resolve));
      highest = Math.max(highest, channels[0]?.bufferedBytes ?? 0);
    }
    await new Promise((resolve) => setTimeout(resolve, 100));
    highest = Math.max(highest, channels[0]?.bufferedBytes ?? 0);
    expect(highest).toBeLessThan(128 * 1024);
  });
});

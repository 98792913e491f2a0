import { Buffer } from 'node:buffer';
import { fileResult, materializeBinary, PAYLOAD_MEMBERS, readResultWithChunks } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import type { Channel, ChannelReceiver } from './channel.js';
import { createInMemoryChannelPair } from './in-memory-channel.js';
import type { IncomingNotification, IncomingRequest } from './inbound/inbound-dispatch.js';
import { RpcPeer, type RpcPeerOptions } from './peer.js';

const BYTES = Uint8Array.of(0, 0xff, 0x22, 0x0a);
const TEXT = Buffer.from(BYTES).toString('base64');

function peerOn(channel: Channel, onRequest: (request: IncomingRequest) => unknown = () => ({})) {
  const requests: IncomingRequest[] = [];
  const notifications: IncomingNotification[] = [];
  const options: RpcPeerOptions = {
    onRequest: (request) => {
      requests.push(request);
      return onRequest(request);
    },
    onNotification: (notification) => void notifications.push(notification),
    payloadMembers: PAYLOAD_MEMBERS,
  };
  const peer = new RpcPeer(channel, options);
  return { peer, requests, notifications };
}

/** A peer that is given what a remote end might send. */
function fed() {
  let receiver: ChannelReceiver | undefined;
  const sent: unknown[] = [];
  const channel: Channel = {
    label: 'test',
    bufferedBytes: 0,
    binary: { accept: () => undefined, send: () => undefined },
    start: (started) => {
      receiver = started;
    },
    send: (message) => sent.push(message),
    pause: () => undefined,
    resume: () => undefined,
    probe: async () => true,
    close: () => undefined,
  };
  const parts = peerOn(channel);
  let releases = 0;
  const offer = (bytes: Uint8Array): void => receiver?.binaryMessage?.(bytes, () => releases++);
  const message = (text: string, payload: Uint8Array = BYTES): void => {
    const header = Buffer.alloc(9);
    header[0] = 1;
    header.writeUInt32BE(Buffer.byteLength(text), 1);
    header.writeUInt32BE(payload.length, 5);
    offer(Buffer.concat([header, Buffer.from(text), payload]));
  };
  return { ...parts, sent, offer, message, releases: () => releases };
}

describe('binary messages between two peers', () => {
  it('carry payloads both ways once both ends have agreed, and say the same as text', async () => {
    for (const isBinary of [true, false]) {
      const [left, right] = createInMemoryChannelPair();
      const state = { nextSeq: 2, exited: false, exitCode: null, closed: false, failure: null };
      const answers: Readonly<Record<string, unknown>> = {
        'fs/readFile': fileResult(BYTES),
        'process/read': readResultWithChunks([{ seq: 1, stream: 'stdout', bytes: BYTES }], state),
      };
      const server = peerOn(right, ({ method }) => answers[method] ?? {});
      const client = peerOn(left);
      if (isBinary) for (const { peer } of [client, server]) peer.sendBinary();
      const whole = await client.peer.call('fs/readFile', { path: '/x' });
      expect(whole).toEqual({ dataBase64: isBinary ? BYTES : TEXT });
      const read = (await client.peer.call('process/read', {})) as { chunks: { chunk: unknown }[] };
      expect(read.chunks[0]?.chunk).toEqual(isBinary ? BYTES : TEXT);
      await client.peer.call('process/write', { processId: 'p', chunk: BYTES });
      const [write] = server.requests.slice(-1);
      expect(write?.params).toEqual({ processId: 'p', chunk: isBinary ? '' : TEXT });
      expect(write?.payload?.bytes).toEqual(isBinary ? BYTES : undefined);
      client.peer.close();
    }
  });
});

describe('a binary message', () => {
  it('of a notification has the bytes in its member', () => {
    const { message, notifications } = fed();
    message('{"method":"process/output","params":{"processId":"p","seq":1,"stream":"pty","chunk":4}}');
    expect(notifications).toMatchObject([
      { method: 'process/output', params: { chunk: Buffer.from(BYTES) } },
    ]);
  });

  it('gives its memory back once, when the handler says so', () => {
    const { message, requests, releases } = fed();
    const large = new Uint8Array(10_000);
    message('{"id":1,"method":"fs/writeFile","params":{"path":"/x","dataBase64":10000}}', large);
    const payload = requests[0]?.payload;
    expect([requests[0]?.params, payload?.bytes]).toEqual([
      { path: '/x', dataBase64: '' },
      Buffer.from(large),
    ]);
    expect(releases()).toBe(0);
    payload?.free();
    payload?.free();
    expect(releases()).toBe(1);
  });

  it('has a payload of its own where that is a small part of what came', () => {
    const { message, requests, releases } = fed();
    message(`{"id":1,"method":"process/write","params":{"processId":"${'p'.repeat(100)}","chunk":4}}`);
    expect(requests[0]?.payload?.bytes.buffer.byteLength).toBeLessThan(100);
    // What it came in is free at once.
    expect(releases()).toBe(1);
  });

  it('is refused under its own id where the request has no such payload, and the peer lives', () => {
    const { message, sent, requests } = fed();
    message('{"id":7,"method":"process/start","params":{"chunk":4}}');
    message('{"id":8,"method":"process/write","params":{"chunk":3}}');
    message('{"id":9,"method":"process/write","params":null}');
    message('{"id":10,"method":"process/write","params":{"chunk":"AAAA"}}');
    expect(requests).toEqual([]);
    expect(sent).toEqual([
      '{"error":{"code":-32600,"message":"process/start has no payload here"},"id":7}',
      ...[8, 9, 10].map(
        (id) =>
          `{"error":{"code":-32600,"message":"the payloads of process/write are not where the message says"},"id":${id}}`,
      ),
    ]);
  });

  it('is refused under -1 where it is no message, or one that nobody waits for', () => {
    const { offer, message, sent, notifications } = fed();
    offer(new Uint8Array(3));
    message('{"method":"process/exited","params":{"chunk":4}}');
    message('{"id":1,"error":{"code":-1,"message":"x"}}');
    message('{"id":1,');
    expect(notifications).toEqual([]);
    expect(sent).toHaveLength(4);
    for (const text of sent) expect(text).toMatch(/^\{"error":\{"code":-32600.*"id":-1\}$/s);
  });

  it('that answers a call wrongly fails that call alone', async () => {
    const { peer, message } = fed();
    const read = peer.call('fs/readFile', {});
    const start = peer.call('process/start', {});
    const good = peer.call('fs/readFile', {});
    message('{"id":1,"result":{"dataBase64":5}}');
    message('{"id":2,"result":{"dataBase64":4}}');
    message('{"id":3,"result":{"dataBase64":4}}');
    message('{"id":77,"result":{"dataBase64":4}}');
    await expect(read).rejects.toMatchObject({ code: 'RPC_BAD_MESSAGE' });
    await expect(start).rejects.toMatchObject({ code: 'RPC_BAD_MESSAGE' });
    expect(await good).toEqual({ dataBase64: Buffer.from(BYTES) });
    expect(peer.stats.strayResponses).toBe(1);
  });

  it('may be larger than the same in text before it is too large', async () => {
    const [left] = createInMemoryChannelPair();
    const sized = new RpcPeer(left, {
      onRequest: () => ({}),
      onNotification: () => undefined,
      limits: { maxSentMessageBytes: 1200 },
    });
    const params = { path: '/x', dataBase64: new Uint8Array(1000) };
    await expect(sized.call('fs/writeFile', params)).rejects.toMatchObject({ code: 'RPC_BAD_MESSAGE' });
    sized.sendBinary();
    const answer = sized.call('fs/writeFile', params, { timeoutMs: 1 });
    await expect(answer).rejects.toMatchObject({ code: 'RPC_CALL_TIMEOUT' });
    expect(materializeBinary(['"', new Uint8Array(1000), '"']).length).toBe(1013);
  });
});

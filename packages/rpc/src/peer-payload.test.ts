import { Buffer } from 'node:buffer';
import { materializeBinary } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { payloadMemory } from './bytes/spare-memory.js';
import type { Channel, ChannelReceiver } from './channel.js';
import type { IncomingRequest } from './inbound/inbound-dispatch.js';
import { RpcPeer, type RpcPeerOptions } from './peer.js';

const LONG = Buffer.alloc(100_000, 'payload').toString('base64');
const message = (dataBase64: string) =>
  Buffer.from(`{"id":1,"method":"fs/writeFile","params":{"dataBase64":"${dataBase64}","mode":7}}`);

/** A peer on a channel that delivers what the test wants. */
function peerWith(options: Partial<RpcPeerOptions>) {
  const requests: IncomingRequest[] = [];
  const sent: unknown[] = [];
  let receiver: ChannelReceiver | undefined;
  const channel: Channel = {
    label: 'test',
    bufferedBytes: 0,
    start: (started) => {
      receiver = started;
    },
    send: (text) => sent.push(text),
    pause: () => undefined,
    resume: () => undefined,
    probe: async () => true,
    close: () => undefined,
  };
  new RpcPeer(channel, {
    onRequest: (request) => {
      requests.push(request);
      return {};
    },
    onNotification: () => undefined,
    ...options,
  });
  return {
    offer: (bytes: Uint8Array) => receiver?.longMessage?.(bytes, payloadMemory),
    offerText: (text: string) => receiver?.message(text),
    offerBinary: (bytes: Uint8Array) => receiver?.binaryMessage?.(bytes, () => undefined),
    requests,
    sent,
  };
}

describe('a long message', () => {
  const payloadMembers = new Map([['fs/writeFile', 'dataBase64']]);

  it('comes with its payload decoded when the handler takes it so, and is answered', () => {
    const { offer, requests, sent } = peerWith({ payloadMembers });
    expect(offer(message(LONG))).toBe(true);
    expect(requests[0]).toMatchObject({ id: 1, params: { dataBase64: '', mode: 7 } });
    expect(Buffer.from(requests[0]?.payload?.bytes ?? []).toString('base64')).toBe(LONG);
    expect(sent).toEqual(['{"id":1,"result":{}}']);
  });

  it('keeps its payload when the bytes that it arrived in are used again', () => {
    const { offer, requests } = peerWith({ payloadMembers });
    const bytes = message(LONG);
    offer(bytes);
    bytes.fill(0);
    expect(Buffer.from(requests[0]?.payload?.bytes ?? []).toString('base64')).toBe(LONG);
  });

  it('has memory of its own until its handler lets go of it', () => {
    const { offer, requests } = peerWith({ payloadMembers });
    const others = LONG.replace(/^..../, 'QUJD');
    for (const text of [LONG, others, LONG]) {
      offer(message(text));
      requests.at(-2)?.payload?.free();
    }
    const [first, second, third] = requests.map(({ payload }) => payload?.bytes);
    expect(second?.buffer).not.toBe(first?.buffer);
    expect(third?.buffer).toBe(first?.buffer);
    expect(Buffer.from(second ?? []).toString('base64')).toBe(others);
  });

  it('is wanted as text when it is anything else', () => {
    const { offer, requests, sent } = peerWith({ payloadMembers });
    expect(offer(message(`${LONG.slice(4)}?`))).toBe(false);
    expect(offer(Buffer.alloc(200_000, 'x'))).toBe(false);
    expect(peerWith({}).offer(message(LONG))).toBe(false);
    expect([...requests, ...sent]).toEqual([]);
  });

  it('is refused by its length where it cannot be taken so, before it is looked at', () => {
    const requestLimits = { maxTextBytes: 200_000, maxKeys: 100 };
    const { offer, requests, sent } = peerWith({ payloadMembers, requestLimits });
    const wrong = `${LONG.slice(4)}?`;
    expect(offer(message(wrong))).toBe(false);
    expect(offer(message(wrong.repeat(2)))).toBe(true);
    expect(offer(Buffer.alloc(200_001, 'x'))).toBe(true);
    expect(requests).toEqual([]);
    const errors = sent.map((text) => JSON.parse(String(text)));
    expect(errors).toMatchObject([
      { id: 1, error: { code: -32600 } },
      { id: -1, error: { code: -32600 } },
    ]);
    expect(errors[0].error.message).toContain('a message may have 200000 bytes besides a payload');
  });

  it('is refused under its own id for its keys, and in binary form for its text', () => {
    const { offerText, offerBinary, requests, sent } = peerWith({
      payloadMembers,
      requestLimits: { maxTextBytes: 100, maxKeys: 4 },
    });
    const keys = '"a":1,"b":2,"c":3';
    offerText(`{"id":3,"method":"m","params":{${keys}}}`);
    offerText(`{"method":"m","params":{${keys}}}`);
    const long = `{"id":5,"method":"fs/writeFile","params":{"path":"${'x'.repeat(100)}","dataBase64":"`;
    offerBinary(materializeBinary([long, new Uint8Array(9), '"}}']));
    expect(requests).toEqual([]);
    expect(sent.map((text) => JSON.parse(String(text)))).toMatchObject([
      { id: 3, error: { code: -32600, message: 'JSON-RPC message exceeds the limit of 4 object keys' } },
      { id: -1, error: { code: -32600 } },
      { id: 5, error: { code: -32600, message: 'the text of a message may have 100 bytes' } },
    ]);
  });
});

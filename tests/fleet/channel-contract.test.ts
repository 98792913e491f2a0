// What every channel promises, held against every kind of channel there is.

import { readBinaryHeader, type WireMessage } from '@codex/exec-protocol';
import type { Channel, ChannelClose } from '@codex/exec-rpc';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CHANNEL_KINDS, type ChannelPair } from './support/channel-pairs.js';
import { until } from './support/until.js';

const MIB = 1024 * 1024;
const HEADER_BYTES = 9;

function splitBinary(bytes: Uint8Array): { readonly message: unknown; readonly payload: Uint8Array } {
  const { textBytes } = readBinaryHeader(bytes);
  const text = new TextDecoder().decode(bytes.subarray(HEADER_BYTES, HEADER_BYTES + textBytes));
  return { message: JSON.parse(text), payload: bytes.subarray(HEADER_BYTES + textBytes) };
}

class End {
  readonly received: string[] = [];
  readonly binaries: Uint8Array[] = [];
  readonly closes: ChannelClose[] = [];
  drains = 0;
  readonly channel: Channel;

  constructor(channel: Channel) {
    this.channel = channel;
    channel.start({
      message: (text) => this.received.push(text),
      binaryMessage: (bytes) => this.binaries.push(bytes),
      drained: () => this.drains++,
      closed: (info) => this.closes.push(info),
    });
  }
}

describe.each(Object.entries(CHANNEL_KINDS))('a channel: %s', (kind, open) => {
  let pair: ChannelPair;
  beforeEach(async () => {
    pair = await open();
  });
  afterEach(() => pair.dispose());

  it('delivers whole messages in order, in both directions, and nothing from inside start', async () => {
    const messages = Array.from(
      { length: 500 },
      (_, index) => `{"n":${index},"text":"${'é'.repeat(index % 50)}"}`,
    );
    const near = new End(pair.near);
    for (const message of messages) near.channel.send(message);
    const far = new End(pair.far);
    expect(far.received).toEqual([]);
    for (const message of messages) far.channel.send(message);
    await until(() => near.received.length === 500 && far.received.length === 500);
    expect(far.received).toEqual(messages);
    expect(near.received).toEqual(messages);
  });

  it('writes payload bytes as base64, and takes messages of up to 64 MiB', async () => {
    const [near, far] = [new End(pair.near), new End(pair.far)];
    const payload = Buffer.alloc(3 * MIB, 'abc');
    const segments: WireMessage = ['{"chunk":"', payload, '"}'];
    near.channel.send('"before"');
    near.channel.send(segments);
    near.channel.send('"after"');
    const large = `"${'x'.repeat(64 * MIB - 2)}"`;
    far.channel.send(large);
    await until(() => far.received.length === 3 && near.received.length === 1, 30_000);
    expect(far.received).toEqual(['"before"', `{"chunk":"${payload.toString('base64')}"}`, '"after"']);
    expect(near.received[0] === large).toBe(true);
  });

  it('carries payloads as they are once both ends agreed on it, of any length, among texts', async () => {
    const [near, far] = [new End(pair.near), new End(pair.far)];
    far.channel.binary?.accept();
    near.channel.binary?.send();
    const lengths = [0, 1, 9, 70_000, 300_000, 600_000, 20 * MIB];
    const payloads = lengths.map((length, index) => Buffer.alloc(length, `${index} of many`));
    for (const payload of payloads) {
      near.channel.send('"text"');
      near.channel.send(['{"chunk":"', payload, '"}']);
    }
    await until(
      () => far.binaries.length === lengths.length && far.received.length === lengths.length,
      30_000,
    );
    expect(far.received).toEqual(lengths.map(() => '"text"'));
    for (const [index, bytes] of far.binaries.entries()) {
      const { message, payload } = splitBinary(bytes);
      expect(message).toEqual({ chunk: lengths[index] });
      expect(Buffer.from(payload).equals(payloads[index] ?? Buffer.alloc(0))).toBe(true);
    }
  });

  it('keeps what it was given although the caller changes it', async () => {
    const [near, far] = [new End(pair.near), new End(pair.far)];
    const bytes = Buffer.from('abc');
    near.channel.send(['"', bytes, '"']);
    bytes.fill(0);
    await until(() => far.received.length === 1);
    expect(far.received[0]).toBe('"YWJj"');
  });

  it('counts what an end that is paused does not take, and delivers it afterwards', async () => {
    const [near, far] = [new End(pair.near), new End(pair.far)];
    far.channel.send('"ready"');
    await until(() => near.received.length === 1);
    far.channel.pause();
    // The kernel and the windows take some; not everything.
    for (let index = 0; index < 64; index++) near.channel.send(`"${String(index).padEnd(MIB)}"`);
    await until(() => near.channel.bufferedBytes > 0);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(near.channel.bufferedBytes).toBeGreaterThan(MIB);
    expect(far.received.length).toBeLessThan(40);
    far.channel.resume();
    await until(() => far.received.length === 64, 30_000);
    expect(far.received.map((text) => Number(text.slice(1, 5)))).toEqual(
      Array.from({ length: 64 }, (_, index) => index),
    );
    await until(() => near.channel.bufferedBytes === 0);
    expect(near.drains).toBeGreaterThan(0);
  });

  it('says goodbye after what was sent before, once to each end', async () => {
    const [near, far] = [new End(pair.near), new End(pair.far)];
    for (let index = 0; index < 200; index++) near.channel.send(`"${index}"`);
    near.channel.close(4002, 'enough');
    near.channel.send('"too late"');
    await until(() => near.closes.length > 0 && far.closes.length > 0);
    expect(far.received).toHaveLength(200);
    expect(far.closes).toHaveLength(1);
    expect(near.closes).toEqual([{ code: 4002, reason: 'enough', clean: true }]);
    expect(far.closes[0]?.clean).toBe(true);
    if (kind !== 'stdio') expect(far.closes[0]).toMatchObject({ code: 4002, reason: 'enough' });
    expect(await near.channel.probe(50)).toBe(false);
    expect(near.channel.bufferedBytes).toBe(0);
  });

  it('tells a paused end of the goodbye', async () => {
    const [near, far] = [new End(pair.near), new End(pair.far)];
    near.channel.send('"one"');
    await until(() => far.received.length === 1);
    far.channel.pause();
    near.channel.send('"two"');
    near.channel.close(1000, '');
    await until(() => near.closes.length === 1);
    far.channel.resume();
    await until(() => far.closes.length === 1);
    expect(far.received).toEqual(['"one"', '"two"']);
  });

  it('knows whether the other end lives', async () => {
    const [near, far] = [new End(pair.near), new End(pair.far)];
    expect(await near.channel.probe(5000)).toBe(true);
    expect(await far.channel.probe(5000)).toBe(true);
  });

  it('breaks without a goodbye at both ends when what is under it is cut', async () => {
    if (pair.cut === undefined) return;
    const [near, far] = [new End(pair.near), new End(pair.far)];
    expect(await far.channel.probe(5000)).toBe(true);
    pair.cut();
    await until(() => near.closes.length === 1);
    // A broker tells with the next frame that nobody is there any more.
    far.channel.send('"anybody?"');
    await until(() => far.closes.length === 1);
    expect([near.closes[0]?.clean, far.closes[0]?.clean]).toEqual([false, false]);
  });
});

import { Buffer } from 'node:buffer';
import type { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import * as ws from 'ws';
import { unmaskQuickly } from './quick-unmask.js';

// Exported by the module, missing in its types.
const Receiver = Reflect.get(ws, 'Receiver') as new (options: { isServer: boolean }) => Writable;

const webSocketWith = (_receiver: unknown): WebSocket => ({ _receiver }) as unknown as WebSocket;

function maskedFrame(payload: Buffer, mask: Buffer): Buffer {
  const header = Buffer.alloc(14);
  header[0] = 0x82;
  header[1] = 0xff;
  header.writeBigUInt64BE(BigInt(payload.length), 2);
  mask.copy(header, 10);
  return Buffer.concat([header, payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0))]);
}

describe('unmaskQuickly', () => {
  it('knows the frame reader of the installed ws', () => {
    expect(unmaskQuickly(webSocketWith(new Receiver({ isServer: true })))).toBe(true);
  });

  it('leaves a frame reader that it does not know alone', () => {
    const consume = () => Buffer.alloc(0);
    const unknown = { consume };
    expect(unmaskQuickly(webSocketWith(unknown))).toBe(false);
    expect(unknown.consume).toBe(consume);
    expect(unmaskQuickly(webSocketWith(undefined))).toBe(false);
  });

  it('gives the payload of every length and alignment, however the bytes arrive', () => {
    const receiver = new Receiver({ isServer: true });
    unmaskQuickly(webSocketWith(receiver));
    const received: Buffer[] = [];
    receiver.on('message', (data: Buffer) => received.push(Buffer.from(data)));
    const lengths = [1, 255, 256, 257, 258, 259, 1000, 65_537, 300_001];
    const payloads = lengths.map((length) => Buffer.alloc(length, `payload of ${length}`));
    const frames = payloads.map((payload, index) => maskedFrame(payload, Buffer.from([index, 77, 0, 255])));
    const stream = Buffer.concat(frames);
    for (const step of [stream.length, 65_536, 1021]) {
      received.length = 0;
      for (let at = 0; at < stream.length; at += step)
        receiver.write(Buffer.from(stream.subarray(at, at + step)));
      expect(received.map((data, index) => data.equals(payloads[index] ?? Buffer.alloc(0)))).toEqual(
        lengths.map(() => true),
      );
    }
  });
});

import { Buffer } from 'node:buffer';
import { MAX_MESSAGE_BYTES } from '@codex/exec-protocol';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { InboundStream } from './inbound-stream.js';
import { OutboundStream } from './outbound-stream.js';

function carry(messages: readonly string[], sizes: () => number): string[] {
  const outbound = new OutboundStream();
  const received: string[] = [];
  const inbound = new InboundStream((message) => received.push(message.toString('utf8')));
  for (const message of messages) outbound.add(message);
  while (outbound.waitingBytes > 0) {
    const frame = Buffer.alloc(Math.min(outbound.waitingBytes, sizes()));
    outbound.take(frame);
    expect(inbound.push(frame)).toBe(true);
  }
  return received;
}

describe('messages as one stream', () => {
  it('come out as they went in, wherever the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ maxLength: 300 })),
        fc.array(fc.integer({ min: 1, max: 400 }), { minLength: 1 }),
        (messages, cuts) => {
          let next = 0;
          expect(carry(messages, () => cuts[next++ % cuts.length] ?? 1)).toEqual(messages);
        },
      ),
    );
  });

  it('carry a long message without copying it first', () => {
    const outbound = new OutboundStream();
    const payload = Buffer.alloc(600_000, 'abc');
    outbound.add(['"', payload, '"']);
    expect(outbound.addedBytes).toBe(4 + 2 + 800_000);
    const frame = Buffer.alloc(outbound.waitingBytes);
    outbound.take(frame);
    expect(frame.toString('latin1', 4) === `"${payload.toString('base64')}"`).toBe(true);
    expect(outbound.waitingBytes).toBe(0);
  });

  it('refuse a message that is announced too long, before its bytes come', () => {
    const announced = Buffer.alloc(4);
    announced.writeUInt32BE(MAX_MESSAGE_BYTES + 1, 0);
    expect(new InboundStream(() => undefined).push(announced)).toBe(false);
  });
});

import { Buffer } from 'node:buffer';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MAX_MESSAGE_BYTES } from '@codex/exec-protocol';
import { encodedMessage, outgoingMessage } from '@codex/exec-rpc/bytes';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { HEADER_BYTES } from './frame.js';
import { InboundStream } from './inbound/inbound-stream.js';
import { LENGTH_BYTES, writeLength } from './message-length.js';
import { OutboundStream } from './outbound-stream.js';

type Message = string | Buffer;

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function carry(messages: readonly Message[], sizes: () => number): Message[] {
  const outbound = new OutboundStream();
  const received: Message[] = [];
  const inbound = new InboundStream({
    text: (message) => received.push(message.toString('utf8')),
    binary: (message) => received.push(Buffer.from(message)),
  });
  for (const message of messages) {
    outbound.add(
      typeof message === 'string' ? outgoingMessage(message, true) : encodedMessage(message, true),
    );
    outbound.keep();
  }
  while (outbound.waitingBytes > 0) {
    const most = sizes();
    const waiting = outbound.waitingBytes;
    const bytes = outbound.takeFrame(most).subarray(HEADER_BYTES);
    const isRight =
      bytes.length <= most && bytes.length === waiting - outbound.waitingBytes && inbound.push(bytes);
    if (!isRight) expect.fail(`a frame of ${bytes.length} bytes, at most ${most}`);
  }
  return received;
}

describe('messages as one stream', () => {
  it('come out as they went in, wherever the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.string({ maxLength: 300 }),
            fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
            fc.integer({ min: 8000, max: 9000 }).map((length) => Buffer.alloc(length, length)),
          ),
          { maxLength: 12 },
        ),
        fc.array(fc.oneof(fc.integer({ min: 20, max: 400 }), fc.integer({ min: 3000, max: 10_000 })), {
          minLength: 1,
        }),
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
    outbound.add(outgoingMessage(['"', payload, '"'], false));
    expect(outbound.addedBytes).toBe(4 + 2 + 800_000);
    const frames: Buffer[] = [];
    while (outbound.waitingBytes > 0) frames.push(outbound.takeFrame(300_000).subarray(HEADER_BYTES));
    const stream = Buffer.concat(frames);
    expect(stream.toString('latin1', 4) === `"${payload.toString('base64')}"`).toBe(true);
  });

  it('need the bytes of a message of middle length until they are told to keep them', () => {
    const outbound = new OutboundStream();
    const bytes = Buffer.alloc(20_000, 'a');
    outbound.add(encodedMessage(Buffer.from('small'), false));
    outbound.add(encodedMessage(bytes, true));
    const first = outbound.takeFrame(5000);
    outbound.keep();
    bytes.fill('b');
    const rest = outbound.takeFrame(100_000);
    expect(outbound.waitingBytes).toBe(0);
    const stream = Buffer.concat([first.subarray(HEADER_BYTES), rest.subarray(HEADER_BYTES)]);
    expect(stream.subarray(9 + 4).equals(Buffer.alloc(20_000, 'a'))).toBe(true);
  });

  it('keep nothing of what was sent, also where something always waits', async () => {
    const outbound = new OutboundStream();
    const length = 100_000;
    const add = (): void => {
      outbound.add(encodedMessage(Buffer.alloc(length), true));
      outbound.keep();
    };
    add();
    collectGarbage();
    const before = process.memoryUsage().arrayBuffers;
    for (let round = 0; round < 500; round++) {
      add();
      outbound.takeFrame(LENGTH_BYTES + length);
    }
    await turn();
    expect(outbound.waitingBytes).toBe(LENGTH_BYTES + length);
    // Memory outside of the heap is given back by another thread, some time after the collection.
    const kept = (): number => {
      collectGarbage();
      return process.memoryUsage().arrayBuffers - before;
    };
    await expect.poll(kept, { timeout: 10_000 }).toBeLessThan(10 * length);
  });

  it('take no more memory for a message than a part of what it announces before its bytes come', () => {
    const received: number[] = [];
    const inbound = new InboundStream({
      text: () => undefined,
      binary: (message) => received.push(message.length),
    });
    const announced = Buffer.alloc(5);
    writeLength(announced, 0, { length: MAX_MESSAGE_BYTES, isBinary: true });
    const before = process.memoryUsage().arrayBuffers;
    expect(inbound.push(announced)).toBe(true);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(2 * 1024 * 1024);
    for (let left = MAX_MESSAGE_BYTES - 1; left > 0; ) {
      const part = Buffer.alloc(Math.min(left, 250_000));
      inbound.push(part);
      left -= part.length;
    }
    expect(received).toEqual([MAX_MESSAGE_BYTES]);
  });

  it('refuse a message that is announced too long, before its bytes come', () => {
    const announced = Buffer.alloc(4);
    for (const isBinary of [false, true]) {
      writeLength(announced, 0, { length: MAX_MESSAGE_BYTES + 1, isBinary });
      const inbound = new InboundStream({ text: () => undefined, binary: () => undefined });
      expect(inbound.push(announced)).toBe(false);
    }
  });
});

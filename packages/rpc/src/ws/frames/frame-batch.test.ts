import { Writable } from 'node:stream';
import type { WireMessage } from '@codex/exec-protocol';
import { materialize, materializeBinary } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { FrameBatch, type FrameBatchOptions, MAX_PAYLOAD_BYTES } from './frame-batch.js';

/** Keeps copies, so that a buffer used again too early shows. Completes writes late. */
function setUp(masks: Masks) {
  const writes: Buffer[] = [];
  let takenCount = 0;
  const socket = new Writable({
    highWaterMark: 1,
    write(chunk: Buffer, _encoding, done) {
      setImmediate(() => {
        writes.push(Buffer.from(chunk));
        done();
      });
    },
  });
  const batch = new FrameBatch({ socket, ...masks, taken: () => takenCount++ });
  const finished = async () => {
    batch.finish();
    await new Promise<void>((resolve) => socket.end(resolve));
    expect(takenCount).toBe(writes.length);
    return writes;
  };
  return { batch, socket, finished };
}

interface Frame {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** A reader of its own, straight from RFC 6455 5.2. */
function readFrames(bytes: Buffer, masked: boolean): Frame[] {
  const frames: Frame[] = [];
  for (let at = 0; at < bytes.length; ) {
    const opcode = bytes.readUInt8(at);
    expect(bytes.readUInt8(at + 1) >= 128).toBe(masked);
    let length = bytes.readUInt8(at + 1) & 127;
    at += 2;
    if (length === 126) {
      length = bytes.readUInt16BE(at);
      expect(length).toBeGreaterThan(125);
      at += 2;
    } else if (length === 127) {
      length = Number(bytes.readBigUInt64BE(at));
      expect(length).toBeGreaterThan(65_535);
      at += 8;
    }
    const mask = masked ? bytes.subarray(at, at + 4) : Buffer.alloc(4);
    at += masked ? 4 : 0;
    const payload = Buffer.from(bytes.subarray(at, at + length));
    for (let index = 0; index < length; index++)
      payload[index] = (payload[index] ?? 0) ^ (mask[index & 3] ?? 0);
    frames.push({ opcode, payload });
    at += length;
  }
  return frames;
}

const SIZES = [
  0, 1, 125, 126, 127, 16_370, 16_384, 65_535, 65_536, 200_000, 524_274, 524_275, 700_000, 3, 90_000,
];

type Masks = Pick<FrameBatchOptions, 'masking' | 'binaryMasking'>;

const KINDS: readonly (readonly [string, Masks])[] = [
  ['without masks', { masking: 'none' }],
  ['with masks', { masking: 'random' }],
  ['with masks of zeros', { masking: 'random', binaryMasking: 'zeros' }],
];

describe.each(KINDS)('FrameBatch %s', (_name, masks) => {
  const masked = masks.masking !== 'none';

  it('writes every size whole and in order', async () => {
    const { batch, finished } = setUp(masks);
    const messages: WireMessage[] = [];
    for (let round = 0; round < 3; round++) {
      for (const [index, size] of SIZES.entries()) {
        messages.push(
          index % 2 === 0 ? `${index}`.repeat(size).slice(0, size) : ['ü"', Buffer.alloc(size, index), '"'],
        );
      }
    }
    for (const [index, message] of messages.entries()) {
      batch.add(message);
      if (index % 4 === 0) batch.flush();
      if (index % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const received = joinFragments(readFrames(Buffer.concat(await finished()), masked));
    expect(received).toHaveLength(messages.length);
    for (const [index, text] of received.entries()) {
      expect(text === materialize(messages[index] ?? '')).toBe(true);
    }
  });

  it('writes payloads as they are in binary form, between text messages, whole and in order', async () => {
    const { batch, finished } = setUp(masks);
    batch.useBinary();
    const expected: Buffer[] = [];
    for (const [index, size] of [...SIZES, 1_200_000, 4_194_304, 9_000_000, 5].entries()) {
      const segments = ['{"ü":"', Buffer.alloc(size, index), '"}'] as const;
      batch.add(`text ${index}`);
      batch.add(segments);
      expected.push(Buffer.from(`text ${index}`), Buffer.from(materializeBinary(segments)));
      if (index % 4 === 0) batch.flush();
      if (index % 5 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    const frames = readFrames(Buffer.concat(await finished()), masked);
    const received: Buffer[] = [];
    let parts: Buffer[] = [];
    for (const { opcode, payload } of frames) {
      const first = received.length % 2 === 0 ? 1 : 2;
      expect(opcode & 0x7f).toBe(parts.length === 0 ? first : 0);
      expect(payload.length).toBeLessThanOrEqual(4 * 1024 * 1024);
      parts.push(payload);
      if (opcode < 0x80) continue;
      received.push(Buffer.concat(parts));
      parts = [];
    }
    expect(received.length).toBe(expected.length);
    for (const [index, bytes] of received.entries())
      expect(bytes.equals(expected[index] ?? bytes)).toBe(true);
  });

  it('lets others write between whole frames only', async () => {
    const writes: Buffer[] = [];
    const socket = new Writable({
      write(chunk: Buffer, _encoding, done) {
        writes.push(Buffer.from(chunk));
        done();
      },
    });
    const ping = Buffer.from([0x89, masked ? 0x80 : 0, ...(masked ? [0, 0, 0, 0] : [])]);
    const handedOver = (): void => void socket.write(ping);
    const batch = new FrameBatch({ socket, ...masks, handedOver, taken: () => undefined });
    batch.useBinary();
    for (const size of [10, 700_000, 9_000_000, 20]) batch.add(['"', Buffer.alloc(size, 'x'), '"']);
    batch.finish();
    const frames = readFrames(Buffer.concat(writes), masked);
    const data = frames.filter(({ opcode }) => opcode !== 0x89).map(({ payload }) => payload.length);
    expect(data.reduce((sum, length) => sum + length, 0)).toBe(9_700_030 + 4 * 9 + 2 + 6 + 7 + 2);
    expect(frames.filter(({ opcode }) => opcode === 0x89).length).toBeGreaterThan(3);
  });

  it('counts what is not sent of a long binary message', async () => {
    const { batch, socket, finished } = setUp(masks);
    batch.useBinary();
    batch.add(['"', Buffer.alloc(20_000_000), '"']);
    const small = Buffer.alloc(1000, 'a');
    batch.add(['"', small, '"']);
    small.fill('z');
    expect(socket.writableLength + batch.pendingBytes).toBeGreaterThanOrEqual(20_000_000);
    expect(batch.pendingBytesAtMost).toBeGreaterThanOrEqual(batch.pendingBytes);
    while (batch.pendingBytes > 0) await new Promise((resolve) => setImmediate(resolve));
    const frames = readFrames(Buffer.concat(await finished()), masked);
    expect(frames.at(-1)?.payload.subarray(-1000)).toEqual(Buffer.alloc(1000, 'a'));
  });

  it('puts the small messages of a turn into one write', async () => {
    const { batch, finished } = setUp(masks);
    for (let index = 0; index < 500; index++) batch.add(`{"id":${index}}`);
    expect(batch.pendingBytes).toBeGreaterThan(500 * 8);
    const writes = await finished();
    expect(writes).toHaveLength(1);
    expect(readFrames(Buffer.concat(writes), masked)).toHaveLength(500);
  });

  it('cuts long messages into fragments that follow each other', async () => {
    const { batch, finished } = setUp(masks);
    batch.add('first');
    batch.add('ü'.repeat(MAX_PAYLOAD_BYTES));
    batch.add('last');
    const frames = readFrames(Buffer.concat(await finished()), masked);
    expect(frames.map(({ opcode, payload }) => [opcode, payload.length])).toEqual([
      [0x81, 5],
      [0x01, MAX_PAYLOAD_BYTES],
      [0x80, MAX_PAYLOAD_BYTES],
      [0x81, 4],
    ]);
  });

  it('makes no more of a long message than the socket takes, and counts the rest', async () => {
    const { batch, socket, finished } = setUp(masks);
    const bytes = Buffer.alloc(12_000_000, 'x');
    batch.add(['"', bytes, '"']);
    batch.add('behind');
    expect(socket.writableLength).toBeLessThan(2_000_000);
    expect(socket.writableLength + batch.pendingBytes).toBeGreaterThan(16_000_000);
    while (batch.pendingBytes > 0) await new Promise((resolve) => setImmediate(resolve));
    const received = joinFragments(readFrames(Buffer.concat(await finished()), masked));
    expect(received).toEqual([materialize(['"', bytes, '"']), 'behind']);
  });

  it('has copied what waits behind a long message', async () => {
    const { batch, finished } = setUp(masks);
    const bytes = Buffer.alloc(1000, 'a');
    batch.add('x'.repeat(3_000_000));
    batch.add(['"', bytes, '"']);
    const expected = materialize(['"', bytes, '"']);
    bytes.fill('z');
    const received = joinFragments(readFrames(Buffer.concat(await finished()), masked));
    expect(received[1]).toBe(expected);
  });

  it('says when the bytes of a message are not looked at any more', async () => {
    const { batch, socket, finished } = setUp(masks);
    batch.useBinary();
    const taken: number[] = [];
    const add = (index: number, size: number): Buffer => {
      const bytes = Buffer.alloc(size, index);
      batch.add(['"', bytes, '"'], () => {
        taken.push(index);
        // Whoever is told may use the memory for something else.
        bytes.fill(0xff);
      });
      return bytes;
    };
    add(1, 1000);
    expect(taken).toEqual([1]);
    add(2, 9_000_000);
    add(3, 1000);
    expect(taken).toEqual([1, 3]);
    add(4, 700_000);
    while (socket.writableLength + batch.pendingBytes > 0)
      await new Promise((resolve) => setImmediate(resolve));
    expect(taken).toEqual([1, 3, 2, 4]);
    const frames = readFrames(Buffer.concat(await finished()), masked);
    const payloads = frames.map(({ payload }) => payload);
    const received = Buffer.concat(payloads).filter((byte) => byte >= 1 && byte <= 4);
    for (const [index, size] of [1000, 9_000_000, 1000, 700_000].entries())
      expect(received.filter((byte) => byte === index + 1).length).toBeGreaterThanOrEqual(size);
    expect(payloads.some((payload) => payload.includes(0xff))).toBe(false);
  });

  it('does not say so when the socket fails', async () => {
    const socket = new Writable({
      write: (_chunk, _encoding, done) => setImmediate(done, new Error('gone')),
    });
    socket.on('error', () => undefined);
    const batch = new FrameBatch({ socket, ...masks, taken: () => undefined });
    batch.useBinary();
    let isTaken = false;
    batch.add(['"', Buffer.alloc(9_000_000), '"'], () => {
      isTaken = true;
    });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(isTaken).toBe(false);
  });

  it('forgets a long message when the socket has ended', async () => {
    const { batch, socket } = setUp(masks);
    batch.add(['"', Buffer.alloc(12_000_000), '"']);
    batch.add('behind');
    socket.destroy();
    await new Promise((resolve) => setImmediate(resolve));
    batch.finish();
    expect(batch.pendingBytes).toBe(0);
  });
});

function joinFragments(frames: readonly Frame[]): string[] {
  const texts: string[] = [];
  let parts: Buffer[] = [];
  for (const { opcode, payload } of frames) {
    expect(opcode & 0x7f).toBe(parts.length === 0 ? 1 : 0);
    parts.push(payload);
    if (opcode < 0x80) continue;
    texts.push(Buffer.concat(parts).toString());
    parts = [];
  }
  expect(parts).toEqual([]);
  return texts;
}

it('a mask of zeros is a mask, and leaves the payload as it is', async () => {
  const { batch, finished } = setUp({ masking: 'random', binaryMasking: 'zeros' });
  batch.useBinary();
  batch.add('text');
  batch.add(['"', Buffer.from('as it is'), '"']);
  const written = Buffer.concat(await finished());
  expect(readFrames(written, true)).toHaveLength(2);
  expect(written.includes('as it is')).toBe(true);
  expect(written.includes('text')).toBe(false);
});

import { Buffer } from 'node:buffer';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { decodeFrame, type Frame, FrameKind } from './frame.js';
import { decodeQuestion, encodeQuestion } from './heartbeat/question.js';
import { MessageRoom } from './inbound/message-room.js';
import { NatsChannel } from './nats-channel.js';
import { LEAST_WINDOW_BYTES, WindowBudget } from './window-budget.js';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
function heldBytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** One channel whose frames are looked at, and answered by hand. */
function setUp({ grantedBytes = LEAST_WINDOW_BYTES, isWatchful = false, room = new MessageRoom(0) } = {}) {
  const frames: Frame[] = [];
  let time = 0;
  let ended = 0;
  const channel = new NatsChannel({
    label: 'test',
    port: {
      publish: (frame: Buffer) => {
        const decoded = decodeFrame(frame);
        if (decoded !== undefined) frames.push(decoded);
      },
      mustWait: () => false,
      maxFrameBytes: 1024,
      ended: () => ended++,
    },
    budget: new WindowBudget(0),
    room,
    grantedBytes,
    isWatchful,
    now: () => time,
  });
  const received: string[] = [];
  const closes: { code?: number; reason: string; clean: boolean }[] = [];
  channel.start({
    message: (text) => received.push(text),
    drained: () => undefined,
    closed: (info) => closes.push(info),
  });
  let seq = 0;
  const take = (kind: FrameKind, more: Partial<Frame> = {}): void =>
    channel.take({ kind, seq: seq++, read: 0, granted: 0, payload: Buffer.alloc(0), ...more });
  const ping = (): void =>
    take(FrameKind.ping, { payload: encodeQuestion({ isProbe: false, number: 1 }, 0) });
  /** Answers the last question, or an earlier one. */
  const answer = ({ isProbe = false, back = 0 } = {}): void => {
    const asked = frames.filter(({ kind }) => kind === FrameKind.ping).at(-1);
    const number = (decodeQuestion(asked?.payload ?? Buffer.alloc(0))?.number ?? 0) - back;
    take(FrameKind.pong, { payload: encodeQuestion({ isProbe, number }, 0) });
  };
  const pass = (ms: number, isLate = false, wallStepMs = 0): void => {
    time += ms;
    channel.tick(isLate, wallStepMs);
  };
  return {
    channel,
    frames,
    received,
    closes,
    take,
    ping,
    answer,
    pass,
    kinds: () => frames.map(({ kind }) => kind),
    endings: () => ended,
  };
}

describe('a channel over a broker', () => {
  it('sends only what was granted, and the rest when more is', async () => {
    const { channel, frames, take } = setUp({ grantedBytes: 100 });
    channel.send('x'.repeat(296));
    await turn();
    expect(frames.map(({ payload }) => payload.length)).toEqual([100]);
    expect(channel.queuedBytes).toBe(200);
    take(FrameKind.credit, { read: 100, granted: 1000 });
    expect(frames.map(({ payload }) => payload.length)).toEqual([100, 200]);
    expect([channel.queuedBytes, channel.readBytes, channel.sentBytes]).toEqual([0, 100, 300]);
  });

  it('counts as buffered what is unread beyond the bound', async () => {
    const { channel, take } = setUp();
    channel.boundUnread(100);
    channel.send('x'.repeat(296));
    await turn();
    expect(channel.bufferedBytes).toBe(200);
    take(FrameKind.credit, { read: 250, granted: 1000 });
    expect(channel.bufferedBytes).toBe(0);
  });

  it('ends at a gap, and tells the other end', async () => {
    const { closes, take, ping, kinds } = setUp();
    ping();
    take(FrameKind.ping, { seq: 2 });
    await turn();
    expect(closes).toEqual([{ code: 1006, reason: 'gap: frame 2 came instead of 1', clean: false }]);
    expect(kinds()).toEqual([FrameKind.pong, FrameKind.reset]);
  });

  it('ends when the other end sends more than it was granted', async () => {
    const { closes, take } = setUp();
    take(FrameKind.data, { payload: Buffer.alloc(LEAST_WINDOW_BYTES + 1) });
    await turn();
    expect(closes[0]?.reason).toContain('more than it was granted');
  });

  it.each([
    ['one byte', 1, LEAST_WINDOW_BYTES],
    ['no byte', 0, 200_000],
  ])('keeps frames with %s while it is paused at the cost of their bytes', async (_, length, count) => {
    const { channel, take, closes, received } = setUp();
    channel.pause();
    const payload = Buffer.alloc(length);
    const before = heldBytes();
    for (let sent = 0; sent < count; sent++) take(FrameKind.data, { payload });
    // Memory outside of the heap is given back by another thread, some time after the collection.
    await expect.poll(() => heldBytes() - before, { timeout: 10_000 }).toBeLessThan(4 * LEAST_WINDOW_BYTES);
    channel.resume();
    await turn();
    expect([received.join(''), closes]).toEqual(['', []]);
  });

  it('is not misled by counts that cannot be', async () => {
    const { channel, take } = setUp();
    channel.send('abc');
    await turn();
    take(FrameKind.credit, { read: 1_000_000, granted: 0 });
    expect(channel.readBytes).toBe(0);
  });

  it('asks at rest after five seconds, and ends after twelve', async () => {
    const { closes, pass, kinds } = setUp();
    pass(4900);
    expect(kinds()).toEqual([]);
    pass(200);
    expect(kinds()).toEqual([FrameKind.ping]);
    pass(6000);
    expect(closes).toEqual([]);
    pass(1000);
    await turn();
    expect(closes[0]?.reason).toContain('silent');
  });

  it('asks after 0.7 seconds and ends after four while something is unread, or where it must be noticed soon', async () => {
    const waiting = setUp();
    waiting.channel.send('abc');
    await turn();
    const watchful = setUp({ isWatchful: true });
    for (const { pass, kinds, closes } of [waiting, watchful]) {
      pass(700);
      expect(kinds().at(-1)).toBe(FrameKind.ping);
      pass(3200);
      expect(closes).toEqual([]);
      pass(200);
      await turn();
      expect(closes[0]?.reason).toContain('silent');
    }
  });

  it('does not hold its own delay against the other end, up to twelve seconds', async () => {
    const { closes, pass } = setUp({ isWatchful: true });
    pass(1000);
    pass(8000, true);
    await turn();
    expect(closes).toEqual([]);
    pass(4000, true);
    await turn();
    expect(closes).toHaveLength(1);
  });

  it('lives as long as it is answered', async () => {
    const { closes, pass, answer } = setUp({ isWatchful: true });
    for (let count = 0; count < 20; count++) {
      pass(1000);
      answer();
    }
    await turn();
    expect(closes).toEqual([]);
  });

  it('asks when the wall clock was set forward, and lives when that question is answered', async () => {
    const { closes, pass, answer, kinds, channel } = setUp();
    const before = channel.heardAt;
    pass(500, false, 3_600_000);
    expect(kinds()).toEqual([FrameKind.ping]);
    answer();
    pass(4000);
    await turn();
    expect(closes).toEqual([]);
    expect(channel.heardAt).toBeGreaterThanOrEqual(before);
  });

  it('does not take what was sent before the clock was set for an answer', async () => {
    const { closes, pass, answer, take, channel } = setUp();
    pass(5100);
    const before = channel.heardAt;
    pass(100, false, 3_600_000);
    answer({ back: 1 });
    take(FrameKind.credit);
    pass(3000);
    await turn();
    expect(closes[0]?.reason).toContain('silent');
    expect(channel.heardAt).toBe(before);
  });

  it('bears a wall clock that is set back', async () => {
    const { closes, pass, channel } = setUp();
    const before = channel.heardAt;
    pass(500, false, -3_600_000);
    pass(4000);
    await turn();
    expect(closes).toEqual([]);
    expect(channel.heardAt).toBe(before - 3_600_000);
  });

  it('ends at a ping or a pong that is malformed', async () => {
    for (const kind of [FrameKind.ping, FrameKind.pong]) {
      const { closes, take } = setUp();
      take(kind, { payload: Buffer.alloc(3) });
      await turn();
      expect(closes[0]?.reason).toContain('malformed');
    }
  });

  it('is a failed probe when the other end is not there any more', async () => {
    const { channel } = setUp();
    const probe = channel.probe(60_000);
    channel.cut('nobody is there');
    expect(await probe).toBe(false);
  });

  it('takes only the answer of whoever is at the end for a sign of life when it probes', async () => {
    const { channel, take, ping, answer, frames } = setUp();
    const probe = channel.probe(50);
    expect(decodeQuestion(frames[0]?.payload ?? Buffer.alloc(0))?.isProbe).toBe(true);
    ping();
    answer();
    take(FrameKind.credit);
    expect(await probe).toBe(false);
    const again = channel.probe(60_000);
    answer({ isProbe: true });
    expect(await again).toBe(true);
  });

  it('drops what a remote end does not read when it is closed for that', async () => {
    const { channel, kinds, closes, endings } = setUp({ grantedBytes: 0 });
    channel.send('x'.repeat(1000));
    channel.close(1008, 'not reading');
    await turn();
    expect(kinds()).toEqual([FrameKind.close]);
    expect(closes).toEqual([{ code: 1008, reason: 'not reading', clean: true }]);
    expect(endings()).toBe(1);
  });

  it('does not read on in a long message until there is room, and lives meanwhile', async () => {
    const room = new MessageRoom(1024 * 1024);
    const [first, second] = [setUp({ room }), setUp({ room })];
    const stream = Buffer.concat([Buffer.from([0, 6, 0, 0]), Buffer.alloc(384 * 1024, 'm')]);
    const piece = (from: number, to: number) => ({ payload: stream.subarray(from, to) });
    first.take(FrameKind.data, piece(0, 100_000));
    second.take(FrameKind.data, piece(0, 100_000));
    second.take(FrameKind.data, piece(100_000, 250_000));
    await turn();
    expect(second.channel.passedBytes).toBe(100_000);
    second.ping();
    expect(second.kinds()).toContain(FrameKind.pong);
    first.take(FrameKind.data, piece(100_000, 250_000));
    first.channel.cut('away');
    await turn();
    expect(room.freeBytes).toBe(1024 * 1024 - 384 * 1024);
    expect(second.channel.passedBytes).toBe(250_000);
    second.take(FrameKind.data, piece(250_000, stream.length));
    await turn();
    expect(second.received).toEqual(['m'.repeat(384 * 1024)]);
    expect(room.freeBytes).toBe(1024 * 1024);
  });

  it('delivers the end of a message that waits for room when the goodbye is there', async () => {
    const { take, received, closes } = setUp({ room: new MessageRoom(0) });
    const stream = Buffer.concat([Buffer.from([0, 4, 1, 0]), Buffer.alloc(0x40100, 'm')]);
    take(FrameKind.data, { payload: stream.subarray(0, 1000) });
    take(FrameKind.data, { payload: stream.subarray(1000, 262_144) });
    await turn();
    expect(received).toEqual([]);
    take(FrameKind.close, { payload: Buffer.from('{"code":1000,"reason":""}') });
    await turn();
    expect(closes.length).toBe(1);
  });

  it('gives up its room with each message, so that a stream of long messages lets others have their turn', async () => {
    const room = new MessageRoom(1024 * 1024);
    const { take } = setUp({ room });
    const message = Buffer.concat([Buffer.from([0, 6, 0, 0]), Buffer.alloc(384 * 1024, 'm')]);
    const waiting: string[] = [];
    take(FrameKind.data, { payload: message.subarray(0, 1000) });
    const other = {
      owner: 'other',
      roomGiven: () => waiting.push('given'),
      roomTaken: () => undefined,
    };
    expect(room.claim({ ...other, owner: 'third' }, 400 * 1024, 0)).toBe(true);
    expect(room.claim(other, 400 * 1024, 0)).toBe(false);
    // The end of one message and the beginning of the next, of the same length.
    take(FrameKind.data, { payload: message.subarray(1000, 200_000) });
    take(FrameKind.data, {
      payload: Buffer.concat([message.subarray(200_000), message.subarray(0, 1000)]).subarray(0, 194_220),
    });
    await turn();
    expect(waiting).toEqual(['given']);
  });
});

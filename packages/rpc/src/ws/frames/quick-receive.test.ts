import { Buffer } from 'node:buffer';
import type { Writable } from 'node:stream';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import * as ws from 'ws';
import { frameMemory } from '../../bytes/spare-memory.js';
import { type Gathering, receiveQuickly } from './quick-receive.js';

interface ReceiverOptions {
  readonly isServer: boolean;
  readonly maxPayload: number;
  readonly skipUTF8Validation: boolean;
}

// Exported by the module, missing in its types.
const Receiver = Reflect.get(ws, 'Receiver') as new (options: ReceiverOptions) => Writable;

const MAX_PAYLOAD = 2 * 1024 * 1024;
const newReceiver = (): Writable =>
  new Receiver({ isServer: true, maxPayload: MAX_PAYLOAD, skipUTF8Validation: true });
const webSocketWith = (_receiver: unknown): WebSocket => ({ _receiver }) as unknown as WebSocket;

interface Frame {
  readonly opcode: number;
  readonly fin: boolean;
  readonly masked: boolean;
  readonly length: number;
}

const text = (length: number): Frame => ({ opcode: 1, fin: true, masked: true, length });

function frameBytes({ opcode, fin, masked, length }: Frame, seed: number): Buffer {
  const header = Buffer.alloc(10);
  header[0] = (fin ? 0x80 : 0) | opcode;
  // The longest form is valid for data of any length, but control frames have to be short.
  const short = length < 126 && opcode > 7;
  header[1] = (masked ? 0x80 : 0) | (short ? length : 127);
  header.writeBigUInt64BE(BigInt(length), 2);
  const mask = Buffer.from([seed, 77, 0, 255]);
  const payload = Buffer.alloc(length, `payload ${seed} of ${length}`);
  const sent = masked ? payload.map((byte, index) => byte ^ (mask[index % 4] ?? 0)) : payload;
  return Buffer.concat([header.subarray(0, short ? 2 : 10), masked ? mask : Buffer.alloc(0), sent]);
}

/**
 * Everything that a receiver makes of a stream of bytes, given to it in steps. Where there is a room for them they are put
 * there, as a read of a socket would; all others are in one memory that is overwritten afterwards.
 */
function outcomeOf(
  receiver: Writable,
  stream: Buffer,
  { steps, gathering }: { readonly steps: readonly number[]; readonly gathering?: Gathering },
): string[] {
  const seen: string[] = [];
  const tell = (kind: string, data: Buffer) => {
    seen.push(
      `${kind} ${data.length} ${data.toString('latin1', 0, 40)} ${data.reduce((a, b) => (a * 31 + b) | 0, 7)}`,
    );
    frameMemory.release(data);
  };
  receiver.on('message', (data: Buffer) => tell('message', data));
  receiver.on('ping', (data: Buffer) => tell('ping', data));
  receiver.on('pong', (data: Buffer) => tell('pong', data));
  receiver.on('conclude', (code: number, reason: Buffer) => tell(`close ${code}`, reason));
  receiver.on('error', () => undefined);
  const failures: unknown[] = [];
  const onDone = (error: Error | null | undefined) => {
    if (error !== null && error !== undefined) failures.push(Reflect.get(error, 'code'));
  };
  for (let at = 0, turn = 0; at < stream.length && failures.length === 0; turn++) {
    const step = steps[turn % steps.length] ?? stream.length;
    if (receiver.writableEnded) break;
    const room = gathering?.room();
    if (gathering !== undefined && room !== undefined) {
      const count = stream.copy(room, 0, at, at + Math.min(step, room.length));
      at += count;
      if (gathering.filled(count)) receiver.write(Buffer.alloc(0), onDone);
    } else {
      receiver.write(Buffer.from(stream.subarray(at, at + step)), onDone);
      at += step;
    }
  }
  if (failures.length > 0) seen.push(`error ${String(failures[0])}`);
  return seen;
}

describe('receiveQuickly', () => {
  it('knows the frame reader of the installed ws', () => {
    expect(receiveQuickly(webSocketWith(newReceiver()))).toBeDefined();
  });

  it('leaves a frame reader that it does not know alone', () => {
    const getData = () => undefined;
    const unknown = { getData };
    expect(receiveQuickly(webSocketWith(unknown))).toBeUndefined();
    expect(unknown.getData).toBe(getData);
    expect(receiveQuickly(webSocketWith(undefined))).toBeUndefined();
  });

  const agree = (frames: readonly Frame[], steps: readonly number[]): string[] => {
    const stream = Buffer.concat(frames.map(frameBytes));
    const expected = outcomeOf(newReceiver(), stream, { steps });
    for (const leastGatheredBytes of [256 * 1024, 1]) {
      const quick = newReceiver();
      receiveQuickly(webSocketWith(quick), { leastGatheredBytes });
      expect(outcomeOf(quick, stream, { steps })).toEqual(expected);
      const inPlace = newReceiver();
      const gathering = receiveQuickly(webSocketWith(inPlace), { leastGatheredBytes });
      if (gathering === undefined) throw new Error('the frame reader is not known');
      expect(outcomeOf(inPlace, stream, { steps, gathering })).toEqual(expected);
    }
    return expected;
  };

  it('gives the payload of every length and alignment, however the bytes arrive', () => {
    const lengths = [0, 1, 255, 256, 257, 258, 259, 1000, 65_537, 262_143, 262_144, 300_001, 1_500_003];
    for (const step of [10_000_000, 65_536, 10_007]) {
      expect(agree(lengths.map(text), [step])).toHaveLength(lengths.length);
    }
  });

  it('takes control frames between the fragments of a message', () => {
    const outcome = agree(
      [
        { opcode: 1, fin: false, masked: true, length: 300_000 },
        { opcode: 9, fin: true, masked: true, length: 5 },
        { opcode: 0, fin: false, masked: true, length: 400_001 },
        { opcode: 10, fin: true, masked: true, length: 0 },
        { opcode: 0, fin: true, masked: true, length: 3 },
        text(280_000),
      ],
      [65_536],
    );
    expect(outcome.map((line) => line.split(' ', 2).join(' '))).toEqual([
      'ping 5',
      'pong 0',
      'message 700004',
      'message 280000',
    ]);
  });

  it('keeps what a control frame says when the memory that it came in is used again', () => {
    const said: Buffer[] = [];
    const goodbye = Buffer.concat([Buffer.from([0x88, 5, 0x03, 0xe8]), Buffer.from('bye')]);
    const stream = Buffer.concat([Buffer.from([0x89, 4]), Buffer.from('ping'), goodbye]);
    const unmasked = new Receiver({ isServer: false, maxPayload: MAX_PAYLOAD, skipUTF8Validation: true });
    receiveQuickly(webSocketWith(unmasked));
    unmasked.on('ping', (data: Buffer) => said.push(data));
    unmasked.on('conclude', (_code: number, reason: Buffer) => said.push(reason));
    unmasked.write(stream);
    stream.fill('x');
    expect(said.map(String)).toEqual(['ping', 'bye']);
  });

  it('expects a long frame behind a long one, also when a ping comes between', () => {
    const receiver = newReceiver();
    receiver.on('message', () => undefined);
    receiver.on('ping', () => undefined);
    const gathering = receiveQuickly(webSocketWith(receiver), { leastGatheredBytes: 1 });
    const expectations: (boolean | undefined)[] = [];
    const ping = { ...text(4), opcode: 9 };
    for (const frame of [text(1000), text(200_000), ping, text(1000)]) {
      const bytes = frameBytes(frame, 1);
      receiver.write(bytes.subarray(0, 200));
      expectations.push(gathering?.isBetweenLongFrames);
      if (bytes.length > 200) receiver.write(bytes.subarray(200));
      expectations.push(gathering?.isBetweenLongFrames);
    }
    expect(expectations).toEqual([false, false, false, true, true, true, false, false]);
  });

  it('agrees with ws on every sequence of frames, right or wrong', () => {
    const frame = fc.record({
      opcode: fc.constantFrom(1, 1, 2, 0, 8, 9, 10, 3),
      fin: fc.boolean(),
      masked: fc.integer({ min: 0, max: 9 }).map((value) => value > 0),
      length: fc.constantFrom(0, 2, 100, 126, 300, 70_000, 262_144, 500_001, MAX_PAYLOAD + 1),
    });
    const steps = fc.array(fc.constantFrom(1, 7, 1021, 65_536, 1_000_000), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 6 }), steps, (frames, sizes) => {
        // Single bytes make streams of megabytes slow, and tell nothing there.
        const large = frames.reduce((sum, { length }) => sum + length, 0) > 10_000;
        agree(frames, large ? sizes.map((size) => Math.max(size, 1021)) : sizes);
      }),
      { numRuns: 40 },
    );
  });
});

// Frames that no client may send: each costs its own connection at most, and never anything of another client's.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Bystander } from '../support/bystander.js';
import { patienceMs, rounds } from '../support/intensity.js';
import { record } from '../support/record.js';
import { type Random, seededRandom } from '../support/seeded-random.js';
import { ServerUnderAttack } from '../support/server-under-attack.js';
import { frame, OPCODE, RawConnection } from './raw-connection.js';

const CONNECTIONS = rounds({ short: 60, full: 3000 });
const FRAMES_EACH = 20;
const FRAGMENTS = rounds({ short: 20_000, full: 1_000_000 });

const INITIALIZE = Buffer.from('{"id":1,"method":"initialize","params":{"clientName":"frames"}}');

const FORBIDDEN: Readonly<Record<string, readonly Buffer[]>> = {
  'an unmasked frame': [frame(OPCODE.text, INITIALIZE, { masked: false })],
  'a reserved bit': [frame(OPCODE.text, INITIALIZE, { reserved: 4 })],
  'an unknown opcode': [frame(0x3, INITIALIZE)],
  'a fragmented ping': [frame(OPCODE.ping, Buffer.from('x'), { final: false })],
  'a long ping': [frame(OPCODE.ping, Buffer.alloc(126))],
  'a continuation of nothing': [frame(OPCODE.continuation, INITIALIZE)],
  'a text within a text': [frame(OPCODE.text, INITIALIZE, { final: false }), frame(OPCODE.text, INITIALIZE)],
  'text that is not UTF-8': [frame(OPCODE.text, Buffer.from([0xff, 0xfe, 0xfd]))],
  'more than the limit, announced': [
    frame(OPCODE.text, Buffer.alloc(10), { announced: 65n * 1024n * 1024n }),
  ],
  'a length of 2^63': [frame(OPCODE.text, Buffer.alloc(10), { announced: 2n ** 63n })],
  'a close of one byte': [frame(OPCODE.close, Buffer.from([3]))],
  'a close with a forbidden code': [frame(OPCODE.close, Buffer.from([0x03, 0xed]))],
  'a close whose reason is not UTF-8': [frame(OPCODE.close, Buffer.from([0x03, 0xe8, 0xff]))],
};

function randomFrame(random: Random): Buffer {
  const payload = random.chance(0.3)
    ? INITIALIZE
    : randomBytes(random.below(random.chance(0.1) ? 70_000 : 200));
  return frame(random.pick([0, 1, 2, 8, 9, 10, 3, 11]), payload, {
    final: random.chance(0.7),
    reserved: random.chance(0.9) ? 0 : random.below(8),
    masked: random.chance(0.95),
    ...(random.chance(0.05) ? { announced: BigInt(random.below(2 ** 31)) } : {}),
  });
}

describe('frames', () => {
  it.each(Object.entries(FORBIDDEN))('%s ends its connection', async (_, frames) => {
    const server = await ServerUnderAttack.start();
    const connection = await RawConnection.open(server.port);
    connection.send(...frames);
    await connection.until(() => connection.isClosed);
    expect(connection.isClosed).toBe(true);
    expect(server.isAlive).toBe(true);
  });

  it(
    'at random leave others served, and the server as it was',
    async () => {
      const random = seededRandom();
      const server = await ServerUnderAttack.start();
      const bystander = await Bystander.watch(server.url);
      const before = server.openDescriptors();
      for (let count = 0; count < CONNECTIONS; count++) {
        const connection = await RawConnection.open(server.port);
        for (let sent = 0; sent < FRAMES_EACH; sent++) connection.send(randomFrame(random));
        await new Promise((resolve) => setImmediate(resolve));
        connection.end();
      }
      expect(server.isAlive, `seed ${random.seed}\n${server.stderr.slice(-2000)}`).toBe(true);
      const { answers } = bystander;
      await expect.poll(() => bystander.answers).toBeGreaterThan(answers);
      record('frames', {
        connections: CONNECTIONS,
        frames: CONNECTIONS * FRAMES_EACH,
        longestWaitOfAnotherMs: bystander.longestWaitMs,
      });
      expect(bystander.longestWaitMs, `seed ${random.seed}`).toBeLessThan(5000);
      bystander.stop();
      await expect.poll(() => server.openDescriptors(), { timeout: 10_000 }).toBeLessThanOrEqual(before);
    },
    patienceMs,
  );

  it(
    'of one byte each make one message, and cost no more than it',
    async () => {
      const server = await ServerUnderAttack.start();
      const bystander = await Bystander.watch(server.url);
      const connection = await RawConnection.open(server.port);
      const padding = Buffer.alloc(FRAGMENTS, 0x20);
      const message = Buffer.concat([padding, INITIALIZE]);
      for (let at = 0; at < message.length; at += 1000) {
        const end = Math.min(at + 1000, message.length);
        const fragments = Array.from({ length: end - at }, (_, index) =>
          frame(
            at + index === 0 ? OPCODE.text : OPCODE.continuation,
            message.subarray(at + index, at + index + 1),
            {
              final: at + index === message.length - 1,
            },
          ),
        );
        if (!connection.socket.write(Buffer.concat(fragments)) && !connection.isClosed) {
          await new Promise((resolve) => connection.socket.once('drain', resolve).once('close', resolve));
        }
      }
      await connection.until(() => connection.received.includes('sessionId'));
      expect(server.residentMegabytes()).toBeLessThan(400);
      expect(bystander.longestWaitMs).toBeLessThan(5000);
      bystander.stop();
      connection.end();
    },
    patienceMs,
  );
});

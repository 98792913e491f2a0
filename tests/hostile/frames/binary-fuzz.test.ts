// Binary messages that no client may send, on connections that have agreed on them: each is answered or costs its own
// connection, what is well-formed among them is served, and nothing of another client's is touched.
import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Bystander } from '../support/bystander.js';
import { patienceMs, rounds } from '../support/intensity.js';
import { record } from '../support/record.js';
import { type Random, seededRandom } from '../support/seeded-random.js';
import { ServerUnderAttack } from '../support/server-under-attack.js';
import { frame, OPCODE, RawConnection } from './raw-connection.js';

const CONNECTIONS = rounds({ short: 10, full: 1500 });
const MESSAGES_EACH = 30;
const HEADER_BYTES = 9;

/** Binary messages may be sent when the answer is there. */
async function initialize(connection: RawConnection, binaryPayloads: boolean): Promise<void> {
  const params = { clientName: 'binary', binaryPayloads };
  connection.send(
    frame(OPCODE.text, Buffer.from(JSON.stringify({ id: 'hello', method: 'initialize', params }))),
    frame(OPCODE.text, Buffer.from('{"method":"initialized"}')),
  );
  await connection.until(() => connection.received.includes('"id":"hello"'));
}

function message(text: string, payload: Uint8Array): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header[0] = 1;
  header.writeUInt32BE(Buffer.byteLength(text), 1);
  header.writeUInt32BE(payload.length, 5);
  return Buffer.concat([header, Buffer.from(text), payload]);
}

/** Requests that are right, and that name what is not there: they change nothing. */
function request(random: Random): Buffer {
  const payload = randomBytes(random.below(random.chance(0.02) ? 300_000 : 300));
  const { length } = payload;
  const text = random.pick([
    `{"id":1,"method":"process/write","params":{"processId":"nobody","writeId":"w","chunk":${length}}}`,
    `{"id":2,"method":"fs/writeFile","params":{"path":"/nowhere/x","dataBase64":${length}}}`,
    `{"id":3,"method":"fs/writeBlock","params":{"handleId":"none","offset":0,"chunk":${length}}}`,
    `{"id":4,"method":"fs/writeTree","params":{"path":"/nowhere","entries":[],"dataBase64":${length}}}`,
    // None of these has a payload.
    `{"id":5,"method":"process/start","params":{"processId":"x","argv":["true"],"cwd":"/","env":{},"chunk":${length}}}`,
    `{"id":6,"method":"initialize","params":{"clientName":${length}}}`,
    `{"method":"initialized","params":{"chunk":${length}}}`,
    `{"method":"process/output","params":{"chunk":${length}}}`,
    `{"id":1,"result":{"dataBase64":${length}}}`,
    `{"id":1,"error":{"code":1,"message":"x","data":${length}}}`,
  ]);
  return message(text, payload);
}

/** Cut, overwritten, lengthened, with lengths that lie, in fragments that do not fit. */
function broken(random: Random): Buffer[] {
  const bytes = request(random);
  // Text that is not UTF-8 ends the connection, as it always does: seldom, so that others get far.
  const kind = random.chance(0.01) ? 5 : random.pick([0, 1, 2, 3, 4, 6]);
  if (kind === 0) return [frame(OPCODE.binary, bytes.subarray(0, random.below(bytes.length)))];
  if (kind === 1) bytes.writeUInt32BE(random.below(2 ** 31) * 2, random.pick([1, 5]));
  if (kind === 2) bytes[0] = random.below(256);
  if (kind === 3) {
    for (let count = random.below(6); count >= 0; count--)
      bytes[random.below(bytes.length)] = random.below(256);
  }
  if (kind === 4) return [frame(OPCODE.binary, Buffer.concat([bytes, randomBytes(random.below(20))]))];
  if (kind === 5) return [frame(OPCODE.text, bytes)];
  if (kind === 6) {
    const middle = random.below(bytes.length);
    return [
      frame(OPCODE.binary, bytes.subarray(0, middle), { final: false }),
      frame(OPCODE.continuation, bytes.subarray(middle)),
    ];
  }
  return [frame(OPCODE.binary, bytes)];
}

describe('binary messages', () => {
  it(
    'at random leave others served, the connection answering or closed, and the server as it was',
    async () => {
      const random = seededRandom();
      const server = await ServerUnderAttack.start();
      const bystander = await Bystander.watch(server.url);
      const before = server.openDescriptors();
      let stillAnswering = 0;
      for (let count = 0; count < CONNECTIONS; count++) {
        const connection = await RawConnection.open(server.port);
        if (random.chance(0.03)) connection.send(...broken(random));
        await initialize(connection, random.chance(0.95));
        for (let sent = 0; sent < MESSAGES_EACH; sent++) {
          connection.send(...(random.chance(0.4) ? [frame(OPCODE.binary, request(random))] : broken(random)));
        }
        const question = frame(OPCODE.text, Buffer.from('{"id":"last","method":"environment/status"}'));
        connection.send(question);
        await connection.until(() => connection.received.includes('"id":"last"'));
        if (!connection.isClosed) stillAnswering += 1;
        connection.end();
      }
      expect(server.isAlive, `seed ${random.seed}\n${server.stderr.slice(-2000)}`).toBe(true);
      expect(server.stderr, `seed ${random.seed}`).not.toMatch(/internal|TypeError|RangeError/);
      expect(stillAnswering, `seed ${random.seed}`).toBeGreaterThan(0);
      const { answers } = bystander;
      await expect.poll(() => bystander.answers).toBeGreaterThan(answers);
      record('binary messages', {
        connections: CONNECTIONS,
        messages: CONNECTIONS * MESSAGES_EACH,
        stillAnswering,
        longestWaitOfAnotherMs: bystander.longestWaitMs,
        residentMegabytes: server.residentMegabytes(),
      });
      expect(bystander.longestWaitMs, `seed ${random.seed}`).toBeLessThan(5000);
      bystander.stop();
      expect(server.residentMegabytes()).toBeLessThan(400);
      await expect.poll(() => server.openDescriptors(), { timeout: 10_000 }).toBeLessThanOrEqual(before);
    },
    patienceMs,
  );

  it('that announce much and bring little cost little, in a frame and in a header', async () => {
    const server = await ServerUnderAttack.start();
    const connections = await Promise.all(Array.from({ length: 20 }, () => RawConnection.open(server.port)));
    for (const connection of connections) {
      await initialize(connection, true);
      const huge = message(
        '{"id":1,"method":"fs/writeFile","params":{"path":"/x","dataBase64":62914560}}',
        randomBytes(10),
      );
      huge.writeUInt32BE(60 * 1024 * 1024, 5);
      connection.send(frame(OPCODE.binary, huge));
      await connection.until(() => connection.received.includes('"id":-1'));
      connection.send(frame(OPCODE.binary, huge, { announced: 60n * 1024n * 1024n }));
    }
    expect(server.residentMegabytes()).toBeLessThan(250);
    for (const connection of connections) connection.end();
    expect(server.isAlive).toBe(true);
  });
});

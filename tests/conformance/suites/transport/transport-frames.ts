// Websocket frames, correct and broken. A broken one may end its own connection, never the server.
import assert from 'node:assert/strict';
import { frameBytes, Opcode } from '../../client/frame-bytes.js';
import type { FrameHeader, RawSocket } from '../../client/raw-socket.js';
import type { CheckContext } from '../../runner/check-context.js';
import { verifies } from '../../runner/registry.js';
import { upgraded } from './transport-fixture.js';

const REQUEST = '{"id":1,"method":"nosuch"}';
const MIB = 1024 * 1024;

verifies('transport.frame.binary', async (t) => {
  const socket = await upgraded(t);
  socket.write(frameBytes(Opcode.binary, REQUEST));
  assertAnswer(await socket.frame());
});

verifies('transport.frame.ping', async (t) => {
  const socket = await upgraded(t);
  for (const payload of ['', 'hello', 'x'.repeat(125)]) {
    socket.write(frameBytes(Opcode.ping, payload));
    const frame = await socket.frame();
    assert.deepEqual([frame.opcode, frame.payload.toString()], [Opcode.pong, payload]);
  }
});

verifies('transport.frame.unasked-pong', async (t) => {
  const socket = await upgraded(t);
  socket.write(frameBytes(Opcode.pong, 'nobody asked'));
  socket.write(frameBytes(Opcode.text, REQUEST));
  assertAnswer(await socket.frame());
});

verifies('transport.frame.fragments', async (t) => {
  const socket = await upgraded(t);
  socket.write(frameBytes(Opcode.text, REQUEST.slice(0, 5), { fin: false }));
  socket.write(frameBytes(Opcode.ping, 'between'));
  socket.write(frameBytes(Opcode.continuation, '', { fin: false }));
  socket.write(frameBytes(Opcode.continuation, REQUEST.slice(5)));
  const pong = await socket.frame();
  assert.deepEqual([pong.opcode, pong.payload.toString()], [Opcode.pong, 'between']);
  assertAnswer(await socket.frame());
});

verifies('transport.frame.byte-by-byte', async (t) => {
  const socket = await upgraded(t);
  for (const byte of frameBytes(Opcode.text, REQUEST)) {
    socket.write(Uint8Array.of(byte));
    await new Promise((done) => setImmediate(done));
  }
  assertAnswer(await socket.frame());
});

verifies('transport.frame.coalesced', async (t) => {
  const socket = await upgraded(t);
  const count = 500;
  socket.write(Buffer.concat(Array.from({ length: count }, () => frameBytes(Opcode.text, REQUEST))));
  for (let index = 0; index < count; index++) assertAnswer(await socket.frame());
});

verifies('transport.frame.large-fragmented', async (t) => {
  const socket = await upgraded(t);
  // What is long in a real message is its payload; how much there may be besides differs between servers.
  const params = `{"path":"file:///nowhere","dataBase64":"${'AAAA'.repeat(5 * MIB)}"}`;
  const message = Buffer.from(`{"id":1,"method":"fs/writeFile","params":${params}}`);
  for (let offset = 0; offset < message.length; offset += MIB) {
    const last = offset + MIB >= message.length;
    const opcode = offset === 0 ? Opcode.text : Opcode.continuation;
    socket.write(frameBytes(opcode, message.subarray(offset, offset + MIB), { fin: last }));
  }
  const { id, error } = JSON.parse((await socket.frame()).payload.toString('utf8'));
  const expected = { code: -32600, message: 'client must call initialize before using filesystem methods' };
  assert.deepEqual({ id, error }, { id: 1, error: expected });
});

verifies('transport.frame.unmasked', (t) =>
  assertEndsAlone(t, frameBytes(Opcode.text, REQUEST, { masked: false })),
);

verifies('transport.frame.reserved', async (t) => {
  await assertEndsAlone(t, frameBytes(Opcode.text, REQUEST, { reserved: 4 }));
  await assertEndsAlone(t, frameBytes(3, REQUEST));
});

verifies('transport.frame.continuation-first', (t) =>
  assertEndsAlone(t, frameBytes(Opcode.continuation, REQUEST)),
);

verifies('transport.frame.long-control', (t) => assertEndsAlone(t, frameBytes(Opcode.ping, 'x'.repeat(126))));

verifies('transport.frame.bad-utf8', async (t) => {
  const socket = await upgraded(t);
  socket.write(frameBytes(Opcode.text, Uint8Array.of(0x7b, 0xff, 0xfe)));
  await assertClosedWith(t, socket, 1007);
});

verifies('transport.frame.oversize', async (t) => {
  const connection = await t.open();
  connection.send(`"${'x'.repeat(64 * MIB)}"`);
  assert.equal((await connection.ended()).code, 1009);
  await (await t.open()).call('environment/status');
});

verifies('transport.frame.oversize-announced', async (t) => {
  const socket = await upgraded(t);
  socket.write(frameBytes(Opcode.text, '{', { announced: 64 * MIB + 1 }));
  await assertClosedWith(t, socket, 1009);
});

verifies('transport.frame.oversize-fragments', async (t) => {
  const socket = await upgraded(t);
  const block = Buffer.alloc(8 * MIB, 0x20);
  socket.write(frameBytes(Opcode.text, block, { fin: false }));
  for (let sent = 1; sent <= 8; sent++) socket.write(frameBytes(Opcode.continuation, block, { fin: false }));
  await assertClosedWith(t, socket, 1009);
});

function assertAnswer(frame: FrameHeader): void {
  assert.deepEqual([frame.opcode, frame.fin], [Opcode.text, true], 'the answer is one text frame');
  const answer = JSON.parse(frame.payload.toString('utf8'));
  assert.deepEqual([answer.id, answer.error.code], [1, -32601]);
}

async function assertEndsAlone(t: CheckContext, bytes: Buffer): Promise<void> {
  const bystander = await t.open();
  const socket = await upgraded(t);
  socket.write(bytes);
  await socket.end();
  await bystander.call('environment/status');
}

async function assertClosedWith(t: CheckContext, socket: RawSocket, code: number): Promise<void> {
  const frame = await socket.frame();
  assert.equal(frame.opcode, Opcode.close);
  assert.equal(frame.payload.readUInt16BE(0), code);
  await (await t.open()).call('environment/status');
}

// Many, half-made, broken and idle connections: whatever others do, the server stays in service.
import assert from 'node:assert/strict';
import { frameBytes, Opcode } from '../../client/frame-bytes.js';
import { RawSocket } from '../../client/raw-socket.js';
import { verifies } from '../../runner/registry.js';
import { upgraded } from './transport-fixture.js';

verifies('transport.connection.half-open', async (t) => {
  const beginnings = [
    '',
    'G',
    'GET / HTTP/1.1\r\n',
    'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpg',
  ];
  const sockets = await Promise.all(Array.from({ length: 200 }, () => RawSocket.open(t.url)));
  t.defer(() => sockets.map((socket) => socket.destroy()));
  for (const [index, socket] of sockets.entries()) socket.write(beginnings[index % beginnings.length] ?? '');
  const connection = await t.open();
  assert.deepEqual(await connection.call('environment/status'), { status: 'ready' });
});

verifies('transport.connection.many', async (t) => {
  const connections = await Promise.all(Array.from({ length: 50 }, () => t.open()));
  const ids = connections.map((connection, index) => {
    connection.send({ id: `c${index}`, method: 'environment/status' });
    return connection.reply(`c${index}`);
  });
  for (const reply of await Promise.all(ids)) assert.deepEqual(reply.result, { status: 'ready' });
});

verifies('transport.connection.reset', async (t) => {
  const whole = frameBytes(Opcode.text, '{"id":1,"method":"environment/status"}');
  for (let round = 0; round < 20; round++) {
    const socket = await upgraded(t);
    socket.write(whole.subarray(0, round));
    socket.socket.resetAndDestroy();
  }
  const connection = await t.open();
  assert.deepEqual(await connection.call('environment/status'), { status: 'ready' });
});

verifies('transport.connection.unread', async (t) => {
  const socket = await upgraded(t);
  socket.socket.pause();
  const request = frameBytes(Opcode.text, `{"id":"${'x'.repeat(1_000)}","method":"nosuch"}`);
  socket.write(Buffer.concat(Array.from({ length: 2_000 }, () => request)));
  const connection = await t.open();
  assert.deepEqual(await connection.call('environment/status'), { status: 'ready' });
});

// Messages that no server expects, after which the connection must go on.
import assert from 'node:assert/strict';
import type { Conversation } from '../../client/conversation.js';
import { verifies } from '../../runner/registry.js';

verifies('session.notification.unknown', async (t) => {
  const connection = await t.open();
  await assertRefusedNotification(connection, 'nosuch');
  await assertRefusedNotification(connection, 'process/output');
});

verifies('session.notification.request-method', async (t) => {
  const connection = await t.open();
  await assertRefusedNotification(connection, 'environment/status');
});

verifies('session.response.stray', async (t) => {
  const connection = await t.open();
  const from = connection.received.length;
  connection.send({ id: 1, result: {} });
  connection.send({ id: 'never-asked', result: null });
  connection.send({ id: 77, error: { code: -32603, message: 'x' } });
  await connection.call('environment/status');
  assert.equal(connection.received.length, from + 1, 'a stray response is not answered');
});

async function assertRefusedNotification(connection: Conversation, method: string): Promise<void> {
  const from = connection.received.length;
  connection.notify(method, {});
  const reply = await connection.next((message) => message.id === -1, 'an error with id -1', { from });
  assert.equal(reply.error?.code, -32600);
  assert.ok(reply.error.message.includes(method), `${reply.error.message} names ${method}`);
  await connection.call('environment/status');
}

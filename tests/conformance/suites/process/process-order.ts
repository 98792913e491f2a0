// Requests sent without waiting for the answers of those before.
import assert from 'node:assert/strict';
import { verifies } from '../../runner/registry.js';
import { base64, nextProcessId, shell, startParams, untilExited } from './process-fixture.js';

verifies('process.order.pipelined', async (t) => {
  const connection = await t.open();
  for (let round = 0; round < 10; round++) {
    const processId = nextProcessId();
    const start = connection.request(
      'process/start',
      startParams(processId, shell('exec cat'), { pipeStdin: true }),
    );
    const write = connection.request('process/write', { processId, chunk: base64('x'), writeId: 'w' });
    const terminate = connection.request('process/terminate', { processId });
    assert.deepEqual((await connection.reply(start)).result, { processId, sandboxType: 'none' });
    assert.deepEqual((await connection.reply(write)).result, { status: 'accepted' });
    assert.deepEqual((await connection.reply(terminate)).result, { running: true });
    assert.equal((await untilExited(connection, processId)).exitCode, 137);
  }
});

verifies('process.order.independent', async (t) => {
  const connection = await t.open();
  const ids = Array.from({ length: 300 }, (_, index) =>
    index % 3 === 0
      ? connection.request('process/read', { processId: 'nobody' })
      : connection.request('process/terminate', { processId: 'nobody' }),
  );
  for (const [index, id] of ids.entries()) {
    const reply = await connection.reply(id);
    if (index % 3 === 0) assert.equal(reply.error?.code, -32600);
    else assert.deepEqual(reply.result, { running: false });
  }
});

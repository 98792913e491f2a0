// Input of a process.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { verifies } from '../../runner/registry.js';
import {
  base64,
  bytesOf,
  outputOf,
  startScript,
  textOf,
  untilClosed,
  untilExited,
  untilOutput,
  writeText,
} from './process-fixture.js';

verifies('process.write.accepted', async (t) => {
  const connection = await t.open();
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
  const processId = await startScript(connection, 'head -c 256', { pipeStdin: true });
  for (const [index, part] of [bytes.subarray(0, 100), bytes.subarray(100)].entries()) {
    const params = { processId, chunk: part.toString('base64'), writeId: `part${index}` };
    assert.deepEqual(await connection.call('process/write', params), { status: 'accepted' });
  }
  await untilClosed(connection, processId);
  assert.deepEqual(bytesOf(outputOf(connection, processId)), bytes);
});

verifies('process.write.large', async (t) => {
  const connection = await t.open();
  const bytes = Buffer.alloc(1_048_576, 'all work and no play ');
  const processId = await startScript(connection, 'head -c 1048576 | sha256sum', { pipeStdin: true });
  await connection.call('process/write', { processId, chunk: bytes.toString('base64'), writeId: 'w' });
  await untilClosed(connection, processId);
  assert.equal(textOf(connection, processId).slice(0, 64), createHash('sha256').update(bytes).digest('hex'));
});

verifies('process.write.pty', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'read line; echo "got $line"', { tty: true });
  await writeText(connection, processId, 'hello\n');
  await untilClosed(connection, processId);
  assert.equal(textOf(connection, processId), 'hello\r\ngot hello\r\n');
});

verifies('process.write.pty-end', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'echo ready; cat; echo end', { tty: true });
  await untilOutput(connection, processId, 'ready');
  await writeText(connection, processId, '\u0004');
  assert.equal((await untilExited(connection, processId)).exitCode, 0);
});

verifies('process.write.pty-interrupt', async (t) => {
  const connection = await t.open();
  const script = 'trap "exit 9" INT; echo ready; while :; do sleep 0.1; done';
  const processId = await startScript(connection, script, { tty: true });
  await untilOutput(connection, processId, 'ready');
  await writeText(connection, processId, '\u0003');
  assert.equal((await untilExited(connection, processId)).exitCode, 9);
});

verifies('process.write.pipelined', async (t) => {
  const connection = await t.open();
  const lines = Array.from({ length: 200 }, (_, index) => `line ${index}\n`);
  const processId = await startScript(connection, 'head -n 200', { pipeStdin: true });
  const ids = lines.map((line, index) =>
    connection.request('process/write', { processId, chunk: base64(line), writeId: `w${index}` }),
  );
  for (const id of ids) assert.deepEqual((await connection.reply(id)).result, { status: 'accepted' });
  await untilClosed(connection, processId);
  assert.equal(textOf(connection, processId), lines.join(''));
});

verifies('process.write.unknown-process', async (t) => {
  const connection = await t.open();
  const params = { processId: 'nobody', chunk: base64('x'), writeId: 'w' };
  assert.deepEqual(await connection.call('process/write', params), { status: 'unknownProcess' });
});

verifies('process.write.stdin-closed', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'exec sleep 60');
  const params = { processId, chunk: base64('x'), writeId: 'w' };
  assert.deepEqual(await connection.call('process/write', params), { status: 'stdinClosed' });
  await connection.call('process/terminate', { processId });
});

verifies('process.write.after-exit', async (t) => {
  const connection = await t.open();
  for (const tty of [false, true]) {
    const processId = await startScript(connection, 'exit 0', { tty, pipeStdin: true });
    await untilClosed(connection, processId);
    const result = await connection.call('process/write', { processId, chunk: base64('x'), writeId: 'w' });
    assert.ok(['accepted', 'stdinClosed'].includes(String(result['status'])), String(result['status']));
  }
});

verifies('process.write.idempotent', async (t) => {
  const connection = await t.open();
  const ids = [
    await startScript(connection, 'head -n 2', { pipeStdin: true }),
    await startScript(connection, 'head -n 2', { pipeStdin: true }),
  ];
  for (const processId of ids) {
    const once = { processId, chunk: base64('once\n'), writeId: 'same' };
    for (let round = 0; round < 3; round++) {
      assert.deepEqual(await connection.call('process/write', once), { status: 'accepted' });
    }
    await writeText(connection, processId, 'last\n');
    await untilClosed(connection, processId);
    assert.equal(textOf(connection, processId), 'once\nlast\n');
  }
});

verifies('process.write.empty-write-id', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'head -n 1', { pipeStdin: true });
  const refusal = await connection.refusal('process/write', { processId, chunk: base64('x'), writeId: '' });
  assert.deepEqual({ ...refusal }, { code: -32602, message: 'writeId must not be empty' });
  await connection.call('process/terminate', { processId });
});

verifies('process.write.without-write-id', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'head -n 2', { pipeStdin: true });
  const params = { processId, chunk: base64('again\n') };
  assert.deepEqual(await connection.call('process/write', params), { status: 'accepted' });
  assert.deepEqual(await connection.call('process/write', params), { status: 'accepted' });
  await untilClosed(connection, processId);
  assert.equal(textOf(connection, processId), 'again\nagain\n');
});

verifies('process.write.base64', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'head -n 1', { pipeStdin: true });
  const refused = [
    '!!',
    'YQ',
    'YQ=',
    'YQ===',
    '-_-_',
    'YQ==\n',
    ' YQ==',
    'Y Q==',
    'YR==',
    'YWI',
    '=',
    'YQ==YQ==',
  ];
  for (const chunk of refused) {
    const refusal = await connection.refusal('process/write', { processId, chunk, writeId: 'w' });
    assert.equal(refusal.code, -32602, JSON.stringify(chunk));
  }
  await writeText(connection, processId, 'untouched\n');
  await untilClosed(connection, processId);
  assert.equal(textOf(connection, processId), 'untouched\n', 'nothing of the refused chunks was written');
});

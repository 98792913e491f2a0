// Waiting for a process, and looking at what it has written so far.
import assert from 'node:assert/strict';
import type { Conversation } from '../../client/conversation.js';
import type { JsonObject } from '../../client/message.js';
import { verifies } from '../../runner/registry.js';
import { startWithHolder } from './output-holder.js';
import {
  startParams,
  startScript,
  untilClosed,
  untilExited,
  untilOutput,
  writeText,
} from './process-fixture.js';

verifies('process.wait.exit', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'sleep 0.2; exit 6');
  const { closed: _either, ...result } = await connection.call('process/wait', { processId });
  assert.deepEqual(result, { exited: true, exitCode: 6, sandboxDenied: false, timedOut: false });
});

verifies('process.wait.already-exited', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'exit 2');
  await untilClosed(connection, processId);
  const expected = { exited: true, exitCode: 2, closed: true, sandboxDenied: false, timedOut: false };
  assert.deepEqual(await connection.call('process/wait', { processId, timeoutMs: 0 }), expected);
  assert.deepEqual(await connection.call('process/wait', { processId, until: 'closed' }), expected);
});

verifies('process.wait.timeout', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'exec sleep 60');
  const startedAt = performance.now();
  const result = await connection.call('process/wait', { processId, timeoutMs: 200 });
  assert.ok(performance.now() - startedAt >= 190);
  assert.deepEqual(result, {
    exited: false,
    exitCode: null,
    closed: false,
    sandboxDenied: false,
    timedOut: true,
  });
  assert.deepEqual(await connection.call('process/terminate', { processId }), { running: true });
});

verifies('process.wait.closed', async (t) => {
  const connection = await t.open();
  const { processId, release } = await startWithHolder(t, connection);
  await untilExited(connection, processId);
  const open = await connection.call('process/wait', { processId, until: 'closed', timeoutMs: 200 });
  assert.deepEqual([open['exited'], open['closed'], open['timedOut']], [true, false, true]);
  const wait = connection.request('process/wait', { processId, until: 'closed' });
  await release();
  const result = (await connection.reply(wait)).result as JsonObject;
  assert.deepEqual([result['exited'], result['closed'], result['timedOut']], [true, true, false]);
});

verifies('process.wait.concurrent', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'exec sleep 60');
  const waits = Array.from({ length: 20 }, () => connection.request('process/wait', { processId }));
  await connection.call('environment/status', null, { timeoutMs: 5_000 });
  await connection.call('process/terminate', { processId });
  for (const wait of waits) {
    const result = (await connection.reply(wait)).result as JsonObject;
    assert.equal(result['exitCode'], 137);
  }
});

verifies('process.wait.unknown', async (t) => assertUnknown(await t.open(), 'process/wait', {}));

verifies('process.snapshot.pipes', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'echo out; echo err >&2; echo more; exit 3');
  await untilClosed(connection, processId);
  assert.deepEqual(await snapshot(connection, processId), {
    stdout: 'out\nmore\n',
    stderr: 'err\n',
    terminal: '',
    truncated: false,
    omittedBytes: 0,
    exitCode: 3,
    running: false,
  });
});

verifies('process.snapshot.pty', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'echo out; echo err >&2', { tty: true });
  await untilClosed(connection, processId);
  const { stdout, stderr, terminal } = await snapshot(connection, processId);
  assert.deepEqual([stdout, stderr, terminal], ['', '', 'out\r\nerr\r\n']);
});

verifies('process.snapshot.running', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'echo so far; read line; exit 8', { pipeStdin: true });
  await untilOutput(connection, processId, 'so far');
  const before = await snapshot(connection, processId);
  assert.deepEqual([before['stdout'], before['running'], before['exitCode']], ['so far\n', true, null]);
  await writeText(connection, processId, '\n');
  await untilExited(connection, processId);
  const after = await snapshot(connection, processId);
  assert.deepEqual([after['running'], after['exitCode']], [false, 8]);
});

verifies('process.snapshot.truncated', async (t) => {
  const connection = await t.open();
  const total = 40_000_000;
  await connection.call(
    'process/start',
    startParams('p', ['/usr/bin/head', '-c', String(total), '/dev/zero']),
  );
  await untilClosed(connection, 'p', { longer: 3 });
  const { stdout, truncated, omittedBytes } = await snapshot(connection, 'p');
  assert.equal(truncated, true);
  assert.ok(Number(omittedBytes) > 0);
  assert.equal(String(stdout).length + Number(omittedBytes), total, 'what is there and what is not add up');
});

verifies('process.snapshot.unknown', async (t) => assertUnknown(await t.open(), 'process/snapshot', {}));
verifies('process.closeStdin.unknown', async (t) => assertUnknown(await t.open(), 'process/closeStdin', {}));
verifies('process.resize.unknown', async (t) =>
  assertUnknown(await t.open(), 'process/resize', { rows: 1, cols: 1 }),
);

async function assertUnknown(connection: Conversation, method: string, more: JsonObject): Promise<void> {
  const refusal = await connection.refusal(method, { processId: 'nobody', ...more });
  assert.deepEqual({ ...refusal }, { code: -32600, message: 'unknown process id nobody' });
}

async function snapshot(connection: Conversation, processId: string): Promise<Record<string, unknown>> {
  const result: Record<string, unknown> = { ...(await connection.call('process/snapshot', { processId })) };
  for (const stream of ['stdout', 'stderr', 'terminal']) {
    result[stream] = Buffer.from(String(result[stream]), 'base64').toString('latin1');
  }
  return result;
}

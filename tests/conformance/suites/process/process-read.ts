// Reading output again: cursors, budgets and long polls.
import assert from 'node:assert/strict';
import type { Conversation } from '../../client/conversation.js';
import type { JsonObject } from '../../client/message.js';
import { verifies } from '../../runner/registry.js';
import {
  bytesOf,
  type OutputEvent,
  outputOf,
  readAll,
  startScript,
  untilClosed,
  untilOutput,
  writeText,
} from './process-fixture.js';

/** Three blocks that cannot be merged: each is written after the one before has been seen. */
const THREE_BLOCKS = 'echo one; read go; echo two; read go; echo three';

verifies('process.read.fields', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'echo hi; exit 5');
  await untilClosed(connection, processId);
  const { omitted: _ours, ...read } = await connection.call('process/read', { processId });
  const chunks = outputOf(connection, processId).map(({ seq, stream, chunk }) => ({ seq, stream, chunk }));
  assert.deepEqual(read, {
    chunks,
    nextSeq: 4,
    exited: true,
    exitCode: 5,
    closed: true,
    failure: null,
    sandboxDenied: false,
  });
});

verifies('process.read.same-as-pushed', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'seq 1 20000; echo err >&2; seq 20000 -1 1');
  await untilClosed(connection, processId);
  const pushed = outputOf(connection, processId).map(({ seq, stream, chunk }) => ({ seq, stream, chunk }));
  assert.deepEqual(await readAll(connection, processId), pushed);
});

verifies('process.read.repeatable', async (t) => {
  const connection = await t.open();
  const { processId } = await threeBlocks(connection);
  const first = await connection.call('process/read', { processId });
  assert.deepEqual(await connection.call('process/read', { processId }), first);
});

verifies('process.read.after-seq', async (t) => {
  const connection = await t.open();
  const { processId, events } = await threeBlocks(connection);
  const second = events[1]?.seq ?? 0;
  assert.deepEqual(
    seqsOf(await connection.call('process/read', { processId, afterSeq: 0 })),
    events.map(({ seq }) => seq),
  );
  assert.deepEqual(seqsOf(await connection.call('process/read', { processId, afterSeq: second })), [
    events[2]?.seq,
  ]);
});

verifies('process.read.max-bytes', async (t) => {
  const connection = await t.open();
  const { processId, events } = await threeBlocks(connection);
  const read = await connection.call('process/read', { processId, maxBytes: 9 });
  assert.deepEqual(seqsOf(read), [events[0]?.seq, events[1]?.seq], '`one` and `two` are 8 bytes');
  assert.equal(read['nextSeq'], Number(events[1]?.seq) + 1);
  const whole = await connection.call('process/read', { processId, maxBytes: 14 });
  assert.equal(seqsOf(whole).length, 3, 'a budget that fits exactly is enough');
});

verifies('process.read.first-chunk', async (t) => {
  const connection = await t.open();
  const { processId, events } = await threeBlocks(connection);
  for (const maxBytes of [0, 1]) {
    const read = await connection.call('process/read', { processId, maxBytes });
    assert.deepEqual(seqsOf(read), [events[0]?.seq]);
    assert.equal(read['nextSeq'], Number(events[0]?.seq) + 1);
  }
});

verifies('process.read.next-seq', async (t) => {
  const connection = await t.open();
  const { processId, closedSeq } = await threeBlocks(connection);
  assert.equal((await connection.call('process/read', { processId }))['nextSeq'], closedSeq + 1);
  const past = await connection.call('process/read', { processId, afterSeq: closedSeq, maxBytes: 10 });
  assert.deepEqual([seqsOf(past), past['nextSeq']], [[], closedSeq + 1]);
});

verifies('process.read.no-wait', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'exec sleep 60');
  for (const wait of [{}, { waitMs: 0 }, { waitMs: null }]) {
    const read = await connection.call('process/read', { processId, ...wait });
    assert.deepEqual(
      [read['chunks'], read['nextSeq'], read['exited'], read['exitCode']],
      [[], 1, false, null],
    );
  }
  await connection.call('process/terminate', { processId });
});

verifies('process.read.wait-expires', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'exec sleep 60');
  const startedAt = performance.now();
  const read = await connection.call('process/read', { processId, waitMs: 300 });
  const waited = performance.now() - startedAt;
  assert.deepEqual([read['chunks'], read['nextSeq'], read['exited']], [[], 1, false]);
  assert.ok(waited >= 290, `answered after ${Math.round(waited)} ms`);
  await connection.call('process/terminate', { processId });
});

verifies('process.read.wait-output', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'sleep 0.3; echo done; exec sleep 60');
  const read = await connection.call('process/read', { processId, waitMs: 600_000 });
  assert.equal(bytesOf(read['chunks'] as OutputEvent[]).toString(), 'done\n');
  assert.equal(read['exited'], false);
  await connection.call('process/terminate', { processId });
});

verifies('process.read.wait-exit', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'sleep 0.3; exit 4');
  const read = await connection.call('process/read', { processId, waitMs: 600_000 });
  assert.deepEqual([read['chunks'], read['exited'], read['exitCode']], [[], true, 4]);
});

verifies('process.read.closed', async (t) => {
  const connection = await t.open();
  const { processId, closedSeq } = await threeBlocks(connection);
  const read = await connection.call('process/read', { processId, afterSeq: closedSeq, waitMs: 600_000 });
  assert.deepEqual([read['chunks'], read['closed']], [[], true]);
});

verifies('process.read.future', async (t) => {
  const connection = await t.open();
  const { processId, closedSeq } = await threeBlocks(connection);
  for (const afterSeq of [closedSeq + 1, 1_000_000, Number.MAX_SAFE_INTEGER]) {
    const read = await connection.call('process/read', { processId, afterSeq });
    assert.deepEqual([read['chunks'], read['nextSeq'], read['closed']], [[], closedSeq + 1, true]);
  }
});

verifies('process.read.largest-numbers', async (t) => {
  const connection = await t.open();
  const { processId } = await threeBlocks(connection);
  for (const [field, chunks] of [
    ['afterSeq', 0],
    ['maxBytes', 3],
  ] as const) {
    for (const number of ['9007199254740993', '18446744073709551615']) {
      const id = `${field}=${number}`;
      const params = `{"processId":"${processId}","${field}":${number}}`;
      connection.send(`{"id":"${id}","method":"process/read","params":${params}}`);
      const { result, error } = await connection.reply(id);
      assert.equal(error, undefined, `${id}: ${JSON.stringify(error)}`);
      assert.equal(seqsOf(result as JsonObject).length, chunks, id);
      assert.equal((result as JsonObject)['closed'], true);
    }
  }
});

verifies('process.read.unknown', async (t) => {
  const connection = await t.open();
  const refusal = await connection.refusal('process/read', { processId: 'nobody' });
  assert.deepEqual({ ...refusal }, { code: -32600, message: 'unknown process id nobody' });
});

verifies('process.read.numbers', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'exit 0');
  for (const field of ['afterSeq', 'maxBytes', 'waitMs']) {
    for (const number of ['-1', '1.5', '36893488147419103232', '1e300', '"1"', 'true', '[]']) {
      const params = `{"processId":"${processId}","${field}":${number}}`;
      const id = `${field}=${number}`;
      connection.send(`{"id":${JSON.stringify(id)},"method":"process/read","params":${params}}`);
      assert.equal((await connection.reply(id)).error?.code, -32602, id);
    }
  }
});

verifies('process.read.concurrent', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'exec sleep 60');
  const poll = connection.request('process/read', { processId, waitMs: 600_000 });
  await connection.call('environment/status', null, { timeoutMs: 5_000 });
  const other = await startScript(connection, 'echo other');
  await untilClosed(connection, other);
  assert.deepEqual(await connection.call('process/terminate', { processId }), { running: true });
  const { result } = await connection.reply(poll);
  assert.equal((result as JsonObject)['exited'], true);
});

verifies('process.read.nothing-omitted', async (t) => {
  const connection = await t.open();
  const { processId } = await threeBlocks(connection);
  assert.equal((await connection.call('process/read', { processId }))['omitted'] ?? null, null);
});

interface Blocks {
  readonly processId: string;
  readonly events: OutputEvent[];
  readonly closedSeq: number;
}

async function threeBlocks(connection: Conversation): Promise<Blocks> {
  const processId = await startScript(connection, THREE_BLOCKS, { pipeStdin: true });
  await untilOutput(connection, processId, 'one\n');
  await writeText(connection, processId, '\n');
  await untilOutput(connection, processId, 'two\n');
  await writeText(connection, processId, '\n');
  const closedSeq = await untilClosed(connection, processId);
  const events = outputOf(connection, processId);
  assert.equal(events.length, 3);
  return { processId, events, closedSeq };
}

function seqsOf(read: JsonObject): number[] {
  return (read['chunks'] as OutputEvent[]).map(({ seq }) => seq);
}

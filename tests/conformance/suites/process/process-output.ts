// Output as it is pushed: complete, labelled and numbered.
import assert from 'node:assert/strict';
import type { CheckContext } from '../../runner/check-context.js';
import { verifies } from '../../runner/registry.js';
import { startWithHolder } from './output-holder.js';
import {
  base64,
  bytesOf,
  eventsOf,
  nextProcessId,
  outputOf,
  shell,
  startParams,
  startScript,
  textOf,
  untilClosed,
  untilExited,
  untilOutput,
} from './process-fixture.js';

verifies('process.output.streams', async (t) => {
  const connection = await t.open();
  const pipes = await startScript(connection, 'echo out; echo err >&2');
  await untilClosed(connection, pipes);
  assert.equal(textOf(connection, pipes, 'stdout'), 'out\n');
  assert.equal(textOf(connection, pipes, 'stderr'), 'err\n');
  const pty = await startScript(connection, 'echo out; echo err >&2', { tty: true });
  await untilClosed(connection, pty);
  assert.equal(textOf(connection, pty, 'pty'), 'out\r\nerr\r\n');
  assert.deepEqual(new Set(outputOf(connection, pty).map(({ stream }) => stream)), new Set(['pty']));
});

verifies('process.output.exact-bytes', async (t) => {
  const connection = await t.open();
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, value) => value));
  const octal = [...bytes].map((value) => `\\${value.toString(8).padStart(3, '0')}`).join('');
  for (const [redirect, stream] of [
    ['', 'stdout'],
    ['>&2', 'stderr'],
  ] as const) {
    const processId = await startScript(connection, `printf '${octal}' ${redirect}`);
    await untilClosed(connection, processId);
    const events = outputOf(connection, processId).filter((event) => event.stream === stream);
    assert.deepEqual(bytesOf(events), bytes);
  }
});

const LINES = 400_000;
const numbers = (newline: string) =>
  Array.from({ length: LINES }, (_, index) => `${index + 1}${newline}`).join('');

verifies('process.output.bulk-pipe', (t) => assertBulk(t, false, numbers('\n')));
verifies('process.output.bulk-pty', (t) => assertBulk(t, true, numbers('\r\n')));

async function assertBulk(t: CheckContext, tty: boolean, expected: string): Promise<void> {
  const connection = await t.open();
  const processId = nextProcessId();
  await connection.call(
    'process/start',
    startParams(processId, ['/usr/bin/seq', '1', String(LINES)], { tty }),
  );
  await untilClosed(connection, processId, { longer: 3 });
  const text = textOf(connection, processId);
  assert.equal(text.length, expected.length, 'every byte arrives');
  assert.ok(text === expected, 'and in its place');
}

verifies('process.output.short-lived', async (t) => {
  const connection = await t.open();
  for (const tty of [false, true]) {
    const ids = Array.from({ length: 20 }, () => nextProcessId());
    for (const id of ids)
      connection.request('process/start', startParams(id, ['/usr/bin/seq', '1', '3000'], { tty }));
    for (const id of ids) {
      await untilClosed(connection, id, { longer: 2 });
      assert.equal(textOf(connection, id).split('\n').length, 3_001, `tty ${tty}`);
    }
  }
});

verifies('process.output.live', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'echo first; read line; echo second', { pipeStdin: true });
  await untilOutput(connection, processId, 'first');
  assert.equal(eventsOf(connection, processId).length, 1, 'the command still runs');
  await connection.call('process/write', { processId, chunk: base64('\n'), writeId: 'go' });
  await untilClosed(connection, processId);
  assert.equal(textOf(connection, processId), 'first\nsecond\n');
});

verifies('process.output.event-size', async (t) => {
  const connection = await t.open();
  const processId = nextProcessId();
  await connection.call(
    'process/start',
    startParams(processId, ['/usr/bin/head', '-c', '8000000', '/dev/zero']),
  );
  await untilClosed(connection, processId, { longer: 2 });
  const sizes = outputOf(connection, processId).map((event) => bytesOf([event]).length);
  assert.equal(
    sizes.reduce((sum, size) => sum + size, 0),
    8_000_000,
  );
  assert.ok(Math.max(...sizes) <= 1_048_576, `largest event: ${Math.max(...sizes)}`);
  assert.ok(Math.min(...sizes) > 0, 'no event is empty');
});

verifies('process.output.sequence', async (t) => {
  const connection = await t.open();
  for (const tty of [false, true]) {
    const processId = await startScript(
      connection,
      'for i in 1 2 3; do echo $i; echo e$i >&2; sleep 0.02; done',
      { tty },
    );
    const closedSeq = await untilClosed(connection, processId);
    const seqs = eventsOf(connection, processId).map(({ params }) => Number(params?.['seq']));
    assert.deepEqual(
      seqs.toSorted((a, b) => a - b),
      Array.from(seqs, (_, index) => index + 1),
      `tty ${tty}`,
    );
    assert.equal(Math.max(...seqs), closedSeq);
  }
});

verifies('process.output.wire-order', async (t) => {
  const connection = await t.open();
  const replies = new Map<string, number>();
  for (let round = 0; round < 40; round++) {
    const processId = nextProcessId();
    replies.set(
      processId,
      connection.request('process/start', startParams(processId, shell('echo 1; echo 2 >&2; echo 3'))),
    );
  }
  for (const [processId, replyId] of replies) {
    await untilClosed(connection, processId, { longer: 2 });
    const events = eventsOf(connection, processId);
    const seqs = events.map(({ params }) => Number(params?.['seq']));
    assert.deepEqual(
      seqs,
      seqs.toSorted((a, b) => a - b),
      'events arrive in the order of their seqs',
    );
    const reply = connection.received.findIndex((message) => message.id === replyId);
    const first = events[0] ? connection.received.indexOf(events[0]) : -1;
    assert.ok(reply < first, 'nothing of a process comes before the reply to its start');
  }
});

verifies('process.output.after-exit', async (t) => {
  const connection = await t.open();
  const { processId, release } = await startWithHolder(t, connection);
  await untilExited(connection, processId);
  await release();
  await untilClosed(connection, processId);
  assert.equal(textOf(connection, processId), 'early\nlate\n');
});

verifies('process.exited.at-once', async (t) => {
  const connection = await t.open();
  const { processId, release } = await startWithHolder(t, connection);
  assert.equal((await untilExited(connection, processId)).exitCode, 3);
  await connection.call('environment/status');
  const methods = eventsOf(connection, processId).map(({ method }) => method);
  assert.equal(methods.includes('process/closed'), false, 'the output is still held');
  const read = await connection.call('process/read', { processId, waitMs: 0 });
  assert.deepEqual([read['exited'], read['exitCode'], read['closed']], [true, 3, false]);
  await release();
  await untilClosed(connection, processId);
});

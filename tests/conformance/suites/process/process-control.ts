// Control over a running process beyond the common protocol: end of input, size, any signal, graceful ends, a list.
import assert from 'node:assert/strict';
import { verifies } from '../../runner/registry.js';
import {
  base64,
  nextProcessId,
  shell,
  startParams,
  startScript,
  textOf,
  untilClosed,
  untilExited,
  untilOutput,
  writeText,
} from './process-fixture.js';

verifies('process.closeStdin.end-of-input', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'cat; echo end', { pipeStdin: true });
  await writeText(connection, processId, 'before\n');
  assert.deepEqual(await connection.call('process/closeStdin', { processId }), {});
  assert.equal((await untilExited(connection, processId)).exitCode, 0);
  await untilClosed(connection, processId);
  assert.equal(textOf(connection, processId), 'before\nend\n');
});

verifies('process.closeStdin.repeated', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'cat; exec sleep 60', { pipeStdin: true });
  assert.deepEqual(await connection.call('process/closeStdin', { processId }), {});
  assert.deepEqual(await connection.call('process/closeStdin', { processId }), {});
  const params = { processId, chunk: base64('x'), writeId: 'w' };
  assert.deepEqual(await connection.call('process/write', params), { status: 'stdinClosed' });
  await connection.call('process/terminate', { processId });
});

verifies('process.closeStdin.pipelined', async (t) => {
  const connection = await t.open();
  for (let round = 0; round < 10; round++) {
    const processId = nextProcessId();
    connection.request('process/start', startParams(processId, shell('exec cat'), { pipeStdin: true }));
    connection.request('process/write', { processId, chunk: base64('all '), writeId: '1' });
    connection.request('process/write', { processId, chunk: base64('of it'), writeId: '2' });
    connection.request('process/closeStdin', { processId });
    await untilClosed(connection, processId);
    assert.equal(textOf(connection, processId), 'all of it');
  }
});

verifies('process.resize.size', async (t) => {
  const connection = await t.open();
  const script = 'trap "stty size; exit 0" WINCH; echo ready; while :; do sleep 0.1; done';
  const processId = await startScript(connection, script, { tty: true });
  await untilOutput(connection, processId, 'ready');
  assert.deepEqual(await connection.call('process/resize', { processId, rows: 50, cols: 132 }), {});
  await untilClosed(connection, processId);
  assert.equal(textOf(connection, processId), 'ready\r\n50 132\r\n');
});

verifies('process.resize.numbers', async (t) => {
  const connection = await t.open();
  for (const [rows, cols] of [
    [-1, 80],
    [65_536, 80],
    [24, 1.5],
    [24, '80'],
    [24, undefined],
  ]) {
    assert.equal((await connection.refusal('process/resize', { processId: 'p', rows, cols })).code, -32602);
  }
});

verifies('process.signal.any', async (t) => {
  const connection = await t.open();
  for (const [signal, code] of [
    ['SIGTERM', 21],
    ['SIGUSR1', 22],
    ['SIGHUP', 23],
  ] as const) {
    const name = signal.slice(3);
    const processId = await startScript(
      connection,
      `trap "exit ${code}" ${name}; echo ready; while :; do sleep 0.1; done`,
    );
    await untilOutput(connection, processId, 'ready');
    assert.deepEqual(await connection.call('process/signal', { processId, signal }), {});
    assert.equal((await untilExited(connection, processId)).exitCode, code, signal);
  }
});

verifies('process.signal.stop-and-continue', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'echo ready; while read line; do echo $line; done', {
    pipeStdin: true,
  });
  await untilOutput(connection, processId, 'ready');
  await connection.call('process/signal', { processId, signal: 'SIGSTOP' });
  // The reply says that the signal was ordered, not that the kernel has acted: a line or two may still come through.
  let isStopped = false;
  for (let count = 0; count < 20 && !isStopped; count++) {
    const { nextSeq } = await connection.call('process/read', { processId });
    await writeText(connection, processId, 'while stopped\n');
    const after = { processId, afterSeq: Number(nextSeq) - 1, waitMs: 300 };
    const { chunks, exited } = await connection.call('process/read', after);
    assert.equal(exited, false);
    isStopped = (chunks as unknown[]).length === 0;
  }
  assert.ok(isStopped, 'the command goes on');
  await connection.call('process/signal', { processId, signal: 'SIGCONT' });
  await untilOutput(connection, processId, 'while stopped');
  await connection.call('process/terminate', { processId });
});

verifies('process.terminate.graceful', async (t) => {
  const connection = await t.open();
  for (const tty of [false, true]) {
    const script = 'trap "echo bye; exit 12" TERM; echo ready; while :; do sleep 0.1; done';
    const processId = await startScript(connection, script, { tty });
    await untilOutput(connection, processId, 'ready');
    const mode = { type: 'graceful', timeoutMs: 30_000 };
    assert.deepEqual(await connection.call('process/terminate', { processId, mode }), { running: true });
    assert.equal((await untilExited(connection, processId)).exitCode, 12, `tty ${tty}`);
    await untilClosed(connection, processId);
    assert.match(textOf(connection, processId), /bye/);
  }
});

verifies('process.terminate.graceful-timeout', async (t) => {
  const connection = await t.open();
  const processId = await startScript(
    connection,
    'trap "" TERM INT HUP; echo ready; while :; do sleep 0.1; done',
  );
  await untilOutput(connection, processId, 'ready');
  const mode = { type: 'graceful', timeoutMs: 200 };
  assert.deepEqual(await connection.call('process/terminate', { processId, mode }), { running: true });
  assert.equal((await untilExited(connection, processId)).exitCode, 137);
});

verifies('process.terminate.force', async (t) => {
  const connection = await t.open();
  const processId = await startScript(
    connection,
    'trap "exit 1" TERM; echo ready; while :; do sleep 0.1; done',
  );
  await untilOutput(connection, processId, 'ready');
  const mode = { type: 'force' };
  assert.deepEqual(await connection.call('process/terminate', { processId, mode }), { running: true });
  assert.equal((await untilExited(connection, processId)).exitCode, 137);
});

verifies('process.terminate.tree', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'sleep 60 > /dev/null 2>&1 & echo pid $!');
  await untilClosed(connection, processId);
  const pid = Number(/pid (\d+)/.exec(textOf(connection, processId))?.[1]);
  const isAlive = async (): Promise<boolean> => {
    const probe = await startScript(connection, `kill -0 ${pid} 2> /dev/null`);
    return (await untilExited(connection, probe)).exitCode === 0;
  };
  assert.deepEqual(await connection.call('process/terminate', { processId }), { running: false });
  assert.equal(await isAlive(), true);
  const mode = { type: 'tree' };
  assert.deepEqual(await connection.call('process/terminate', { processId, mode }), { running: true });
  assert.equal(await isAlive(), false);
  assert.deepEqual(await connection.call('process/terminate', { processId, mode }), { running: false });
  const running = await startScript(connection, 'exec sleep 60');
  assert.deepEqual(await connection.call('process/terminate', { processId: running, mode }), {
    running: true,
  });
  assert.equal((await untilExited(connection, running)).exitCode, 137);
});

verifies('process.terminate.mode-refused', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'exec sleep 60');
  for (const mode of [
    { type: 'gently' },
    { type: 'graceful' },
    { type: 'graceful', timeoutMs: -1 },
    {},
    'force',
  ]) {
    const refusal = await connection.refusal('process/terminate', { processId, mode });
    assert.equal(refusal.code, -32602, JSON.stringify(mode));
  }
  assert.deepEqual(await connection.call('process/terminate', { processId }), { running: true });
});

verifies('process.list.states', async (t) => {
  const [connection, other] = [await t.open(), await t.open()];
  const running = await startScript(connection, 'exec sleep 60');
  const ended = await startScript(connection, 'exit 4');
  await startScript(other, 'exec sleep 60', { processId: 'foreign' });
  await untilClosed(connection, ended);
  const { processes } = await connection.call('process/list');
  const found = (processes as { processId: string; state: string; exitCode: number | null }[]).map(
    ({ processId, state, exitCode }) => ({ processId, state, exitCode }),
  );
  const expected = [
    { processId: running, state: 'running', exitCode: null },
    { processId: ended, state: 'closed', exitCode: 4 },
  ];
  assert.deepEqual(
    found.toSorted((a, b) => a.processId.localeCompare(b.processId)),
    expected.toSorted((a, b) => a.processId.localeCompare(b.processId)),
  );
});

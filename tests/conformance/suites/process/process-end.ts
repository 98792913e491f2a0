// Signals, and ending processes with everything that belongs to them.
import assert from 'node:assert/strict';
import type { Conversation } from '../../client/conversation.js';
import type { CheckContext } from '../../runner/check-context.js';
import { verifies } from '../../runner/registry.js';
import { isAlive, isGoneWithin } from './host-process.js';
import { startScript, untilClosed, untilExited, untilOutput } from './process-fixture.js';

const TRAPPED_LOOP = 'trap "echo caught; exit 7" INT; echo ready; while :; do sleep 0.1; done';

verifies('process.signal.interrupt', async (t) => {
  const connection = await t.open();
  for (const tty of [false, true]) {
    const processId = await startScript(connection, TRAPPED_LOOP, { tty });
    await untilOutput(connection, processId, 'ready');
    assert.deepEqual(await connection.call('process/signal', { processId, signal: 'interrupt' }), {});
    assert.equal((await untilExited(connection, processId)).exitCode, 7, `tty ${tty}`);
  }
});

verifies('process.signal.group', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, `/bin/sh -c '${TRAPPED_LOOP}'; exit 1`);
  await untilOutput(connection, processId, 'ready');
  await connection.call('process/signal', { processId, signal: 'interrupt' });
  await untilOutput(connection, processId, 'caught');
  await untilClosed(connection, processId);
});

verifies('process.signal.no-process', async (t) => {
  const connection = await t.open();
  assert.deepEqual(await connection.call('process/signal', { processId: 'nobody', signal: 'interrupt' }), {});
  const processId = await startScript(connection, 'exit 0');
  await untilClosed(connection, processId);
  assert.deepEqual(await connection.call('process/signal', { processId, signal: 'interrupt' }), {});
});

verifies('process.signal.names', async (t) => {
  const connection = await t.open();
  for (const signal of ['SIGNOSUCH', '', 'INTERRUPT', 2, null, '__proto__', undefined]) {
    assert.equal(
      (await connection.refusal('process/signal', { processId: 'p', signal })).code,
      -32602,
      String(signal),
    );
  }
});

verifies('process.terminate.running', async (t) => {
  const connection = await t.open();
  for (const tty of [false, true]) {
    const processId = await startScript(connection, 'exec sleep 60', { tty });
    assert.deepEqual(await connection.call('process/terminate', { processId }), { running: true });
    assert.equal(await untilClosed(connection, processId), 2);
  }
});

verifies('process.terminate.exit-code', (t) => assertTerminatedCode(t, false));
verifies('process.terminate.exit-code-pty', (t) => assertTerminatedCode(t, true));

async function assertTerminatedCode(t: CheckContext, tty: boolean): Promise<void> {
  const connection = await t.open();
  const processId = await startScript(connection, 'exec sleep 60', { tty });
  await connection.call('process/terminate', { processId });
  assert.equal((await untilExited(connection, processId)).exitCode, 137);
}

verifies('process.terminate.not-running', async (t) => {
  const connection = await t.open();
  assert.deepEqual(await connection.call('process/terminate', { processId: 'nobody' }), { running: false });
  const processId = await startScript(connection, 'exit 0');
  await untilExited(connection, processId);
  assert.deepEqual(await connection.call('process/terminate', { processId }), { running: false });
});

verifies('process.terminate.stubborn', async (t) => {
  const connection = await t.open();
  for (const tty of [false, true]) {
    const processId = await startScript(
      connection,
      'trap "" TERM INT HUP; echo ready; while :; do sleep 0.1; done',
      { tty },
    );
    await untilOutput(connection, processId, 'ready');
    await connection.call('process/terminate', { processId });
    await untilClosed(connection, processId);
  }
});

verifies('process.terminate.group', async (t) => {
  const connection = await t.open();
  for (const tty of [false, true]) {
    const { processId, pid } = await startWithChild(t, connection, {
      child: 'sleep 60',
      afterwards: 'wait',
      tty,
    });
    await connection.call('process/terminate', { processId });
    assert.ok(await isGoneWithin(pid, 10_000), `the background child has ended (tty ${tty})`);
  }
});

verifies('process.terminate.whole-tree', async (t) => {
  const connection = await t.open();
  for (const tty of [false, true]) {
    // The child says its pid from within its own session, so that it is there before the end comes.
    const child = "setsid /bin/sh -c 'echo pid=$$.; exec sleep 60 >/dev/null 2>&1 </dev/null'";
    const processId = await startScript(connection, `${child} & exec sleep 60`, { tty });
    const pid = await childPid(t, connection, processId);
    await connection.call('process/terminate', { processId });
    await untilClosed(connection, processId);
    assert.ok(await isGoneWithin(pid, 3_000), `the child in a session of its own has ended (tty ${tty})`);
  }
});

verifies('process.terminate.after-exit', async (t) => {
  const connection = await t.open();
  const child = 'sleep 60 >/dev/null 2>&1 </dev/null';
  const { processId, pid } = await startWithChild(t, connection, { child, afterwards: 'exit 0', tty: false });
  await untilClosed(connection, processId);
  assert.deepEqual(await connection.call('process/terminate', { processId }), { running: false });
  const lives = !(await isGoneWithin(pid, 300));
  assert.ok(lives, 'the background child lives on');
});

verifies('process.terminate.flooding', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'exec yes');
  await untilOutput(connection, processId, 'y\n');
  assert.deepEqual(await connection.call('process/terminate', { processId }), { running: true });
  await untilClosed(connection, processId);
});

interface ChildSpec {
  readonly child: string;
  readonly afterwards: string;
  readonly tty: boolean;
}

/** Starts a command that puts a child into the background, and finds out its pid. */
async function startWithChild(
  t: CheckContext,
  connection: Conversation,
  { child, afterwards, tty }: ChildSpec,
): Promise<{ processId: string; pid: number }> {
  const processId = await startScript(connection, `${child} & echo pid=$!.; ${afterwards}`, { tty });
  return { processId, pid: await childPid(t, connection, processId) };
}

/** The pid that a script prints about its child, which ends with the check at the latest. */
async function childPid(t: CheckContext, connection: Conversation, processId: string): Promise<number> {
  const pid = Number(/pid=(\d+)\./.exec(await untilOutput(connection, processId, '.'))?.[1]);
  t.defer(() => {
    if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  });
  return pid;
}

// Exit codes and the two events at the end of a process.
import assert from 'node:assert/strict';
import type { CheckContext } from '../../runner/check-context.js';
import { verifies } from '../../runner/registry.js';
import { eventsOf, startScript, untilClosed, untilExited } from './process-fixture.js';

verifies('process.exited.codes', async (t) => {
  const connection = await t.open();
  for (const tty of [false, true]) {
    for (const code of [0, 1, 42, 255]) {
      const processId = await startScript(connection, `exit ${code}`, { tty });
      assert.equal((await untilExited(connection, processId)).exitCode, code, `tty ${tty}`);
    }
  }
});

verifies('process.exited.signal-pipe', (t) => assertSignalCodes(t, false));
verifies('process.exited.signal-pty', (t) => assertSignalCodes(t, true));

async function assertSignalCodes(t: CheckContext, tty: boolean): Promise<void> {
  const connection = await t.open();
  for (const [name, code] of [
    ['TERM', 143],
    ['KILL', 137],
    ['SEGV', 139],
    ['HUP', 129],
  ] as const) {
    const processId = await startScript(connection, `kill -${name} $$`, { tty });
    assert.equal((await untilExited(connection, processId)).exitCode, code, name);
  }
}

verifies('process.exited.not-denied', async (t) => {
  const connection = await t.open();
  const processId = await startScript(
    connection,
    'echo "Operation not permitted"; echo "Permission denied" >&2; exit 1',
  );
  assert.equal((await untilExited(connection, processId)).sandboxDenied, false);
  await untilClosed(connection, processId);
  const read = await connection.call('process/read', { processId });
  assert.equal(read['sandboxDenied'], false);
});

verifies('process.closed.once', async (t) => {
  const connection = await t.open();
  const ids = [await startScript(connection, 'exit 0'), await startScript(connection, 'exec sleep 60')];
  for (const processId of ids) await connection.call('process/terminate', { processId });
  for (const processId of ids) {
    await untilClosed(connection, processId);
    await connection.call('process/terminate', { processId });
  }
  await connection.call('environment/status');
  for (const processId of ids) {
    const methods = eventsOf(connection, processId)
      .map(({ method }) => method)
      .sort();
    assert.deepEqual(methods, ['process/closed', 'process/exited']);
  }
});

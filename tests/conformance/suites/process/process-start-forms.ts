// The start forms of the design notes: `io`, `direct` and `prepared`, and the notifications about a start.
import assert from 'node:assert/strict';
import type { Conversation } from '../../client/conversation.js';
import type { JsonObject } from '../../client/message.js';
import { verifies } from '../../runner/registry.js';
import { eventsOf, PATH, shell, startScript, textOf, untilClosed, writeText } from './process-fixture.js';

const PIPE_CLOSED = { type: 'pipe', stdin: 'closed' };
const PIPE_OPEN = { type: 'pipe', stdin: 'open' };

verifies('process.start.io-pipe', async (t) => {
  const connection = await t.open();
  await startForm(connection, { processId: 'closed', argv: shell('cat; echo end'), io: PIPE_CLOSED });
  await untilClosed(connection, 'closed');
  assert.equal(textOf(connection, 'closed', 'stdout'), 'end\n');
  await startForm(connection, { processId: 'open', argv: shell('read line; echo got $line'), io: PIPE_OPEN });
  await writeText(connection, 'open', 'it\n');
  await untilClosed(connection, 'open');
  assert.equal(textOf(connection, 'open', 'stdout'), 'got it\n');
});

verifies('process.start.io-pty', async (t) => {
  const connection = await t.open();
  await startForm(connection, {
    processId: 'p',
    argv: shell('stty size'),
    io: { type: 'pty', rows: 33, cols: 121 },
  });
  await untilClosed(connection, 'p');
  assert.equal(textOf(connection, 'p', 'pty'), '33 121\r\n');
});

verifies('process.start.io-refused', async (t) => {
  const connection = await t.open();
  const refused = [
    {},
    { type: 'pty' },
    { type: 'pty', rows: 1 },
    { type: 'pty', rows: -1, cols: 80 },
    { type: 'pty', rows: 65_536, cols: 80 },
    { type: 'pipe' },
    { type: 'pipe', stdin: 'ajar' },
    { type: 'socket' },
    'pty',
  ];
  for (const io of refused) {
    const params = { processId: 'p', argv: ['/bin/true'], cwd: 'file:///', env: { PATH }, io };
    assert.equal((await connection.refusal('process/start', params)).code, -32602, JSON.stringify(io));
  }
});

verifies('process.start.direct', async (t) => {
  const connection = await t.open();
  await startForm(connection, {
    kind: 'direct',
    processId: 'p',
    argv: shell('echo direct'),
    io: PIPE_CLOSED,
  });
  await untilClosed(connection, 'p');
  assert.equal(textOf(connection, 'p'), 'direct\n');
});

verifies('process.start.prepared', async (t) => {
  const connection = await t.open();
  const request = {
    argv: ['/bin/sh', '-c', 'echo $0 $ONLY; pwd'],
    cwd: 'file:///usr',
    env: { ONLY: '1' },
    arg0: 'name',
  };
  const params = { kind: 'prepared', processId: 'p', request, io: PIPE_CLOSED };
  const result = await connection.call('process/start', params);
  assert.equal(result['processId'], 'p');
  await untilClosed(connection, 'p');
  assert.equal(textOf(connection, 'p'), 'name 1\n/usr\n');
  const { request: _request, ...without } = params;
  assert.equal((await connection.refusal('process/start', { ...without, processId: 'q' })).code, -32602);
});

verifies('process.start.unknown-kind', async (t) => {
  const connection = await t.open();
  for (const kind of ['indirect', '', 5, {}]) {
    const params = {
      kind,
      processId: 'p',
      argv: ['/bin/true'],
      cwd: 'file:///',
      env: {},
      io: PIPE_CLOSED,
      tty: false,
    };
    assert.equal((await connection.refusal('process/start', params)).code, -32602, JSON.stringify(kind));
  }
});

verifies('process.started.on-request', async (t) => {
  const connection = await t.open({ lifecycleNotifications: true });
  const processId = await startScript(connection, 'echo pid=$$.');
  await untilClosed(connection, processId);
  const [first] = eventsOf(connection, processId).map(({ method, params }) => ({ method, params }));
  const pid = Number(/pid=(\d+)\./.exec(textOf(connection, processId))?.[1]);
  assert.deepEqual(first, { method: 'process/started', params: { processId, pid } });
});

verifies('process.started.not-unasked', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'exit 0');
  await untilClosed(connection, processId);
  assert.deepEqual(
    eventsOf(connection, processId).map(({ method }) => method),
    ['process/exited', 'process/closed'],
  );
});

async function startForm(connection: Conversation, members: JsonObject): Promise<void> {
  const result = await connection.call('process/start', { cwd: 'file:///', env: { PATH }, ...members });
  assert.deepEqual(result, { processId: members['processId'], sandboxType: 'none' });
}

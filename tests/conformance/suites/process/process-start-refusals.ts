// Starts that are refused, each with its own error, and what a refusal leaves behind: nothing.
import assert from 'node:assert/strict';
import type { Conversation } from '../../client/conversation.js';
import type { JsonObject } from '../../client/message.js';
import { verifies } from '../../runner/registry.js';
import { eventsOf, PATH, shell, startParams, startScript, untilClosed } from './process-fixture.js';

const NO_SUCH_FILE = { code: -32603, message: 'No such file or directory (os error 2)' };
const DENIED = { code: -32603, message: 'Permission denied (os error 13)' };
const NOT_A_DIRECTORY = { code: -32603, message: 'Not a directory (os error 20)' };
const TOO_LONG = { code: -32603, message: 'Argument list too long (os error 7)' };

verifies('process.start.required-fields', async (t) => {
  const connection = await t.open();
  for (const field of ['processId', 'argv', 'cwd', 'env']) {
    const { [field]: _omitted, ...params } = startParams('p', ['/bin/true']);
    const refusal = await connection.refusal('process/start', params);
    assert.deepEqual({ ...refusal }, { code: -32602, message: `missing field \`${field}\`` });
  }
});

verifies('process.start.field-types', async (t) => {
  const connection = await t.open();
  const wrong: JsonObject[] = [
    { processId: 5 },
    { argv: 'ls' },
    { argv: [1] },
    { argv: null },
    { cwd: 5 },
    { env: { A: 5 } },
    { env: [] },
    { env: null },
    { tty: 'yes' },
    { tty: null },
    { pipeStdin: 1 },
    { arg0: 1 },
    { envPolicy: 'all' },
    { sandbox: 'none' },
    { sandbox: {} },
  ];
  for (const members of wrong) {
    const params = { ...startParams('p', ['/bin/true']), ...members };
    assert.equal((await connection.refusal('process/start', params)).code, -32602, JSON.stringify(members));
  }
});

verifies('process.start.empty-argv', async (t) => {
  const connection = await t.open();
  assertRefusal(await refusal(connection, []), { code: -32602, message: 'argv must not be empty' });
});

verifies('process.start.empty-program', async (t) => {
  const connection = await t.open();
  await refusal(connection, ['']);
  await refusal(connection, [''], { tty: true });
});

verifies('process.start.missing-program', async (t) => {
  const connection = await t.open();
  for (const tty of [false, true]) {
    assertRefusal(await refusal(connection, ['/no/such/program'], { tty }), NO_SUCH_FILE);
  }
});

verifies('process.start.program-not-on-path', async (t) => {
  const connection = await t.open();
  assertRefusal(await refusal(connection, ['no-such-program']), NO_SUCH_FILE);
  assertRefusal(await refusal(connection, ['true'], { env: { PATH: '/no/such/directory' } }), NO_SUCH_FILE);
});

verifies('process.start.not-executable', async (t) => {
  const connection = await t.open();
  assertRefusal(await refusal(connection, ['/etc/passwd']), DENIED);
  assertRefusal(await refusal(connection, ['/etc']), DENIED);
});

verifies('process.start.missing-cwd', async (t) => {
  const connection = await t.open();
  assertRefusal(await refusal(connection, ['/bin/true'], { cwd: 'file:///no/such/directory' }), NO_SUCH_FILE);
});

verifies('process.start.cwd-is-a-file', async (t) => {
  const connection = await t.open();
  assertRefusal(await refusal(connection, ['/bin/true'], { cwd: 'file:///etc/passwd' }), NOT_A_DIRECTORY);
});

verifies('process.start.missing-cwd-pty', async (t) => {
  const connection = await t.open();
  for (const cwd of ['file:///no/such/directory', 'file:///etc/passwd']) {
    assert.equal((await refusal(connection, ['/bin/true'], { cwd, tty: true })).code, -32603);
  }
});

verifies('process.start.nul-bytes', async (t) => {
  const connection = await t.open();
  for (const tty of [false, true]) {
    await refusal(connection, ['/bin/echo', 'a\u0000b'], { tty });
    await refusal(connection, ['/bin/ec\u0000ho'], { tty });
    await refusal(connection, ['/bin/echo'], { tty, env: { A: 'x\u0000y' } });
    await refusal(connection, ['/bin/echo'], { tty, env: { 'A\u0000': 'x' } });
  }
});

verifies('process.start.arguments-too-long', async (t) => {
  const connection = await t.open();
  assertRefusal(await refusal(connection, ['/bin/echo', 'x'.repeat(200_000)]), TOO_LONG);
  // Above the 2 MiB that Linux allows with the usual stack, below what one message may have besides payloads.
  const many = Array.from({ length: 30 }, () => 'x'.repeat(100_000));
  assertRefusal(await refusal(connection, ['/bin/echo', ...many]), TOO_LONG);
});

verifies('process.start.equals-in-name', async (t) => {
  const connection = await t.open();
  await refusal(connection, ['/bin/true'], { env: { 'A=B': 'x', PATH } });
  await refusal(connection, ['/bin/true'], { env: { '': 'x', PATH } });
});

verifies('process.start.failure-frees-id', async (t) => {
  const connection = await t.open();
  const processId = 'again';
  await connection.refusal('process/start', startParams(processId, []));
  await connection.refusal('process/start', startParams(processId, ['/no/such/program']));
  await connection.refusal(
    'process/start',
    startParams(processId, ['/bin/true'], { cwd: 'file:///no/such' }),
  );
  await startScript(connection, 'exit 0', { processId });
  assert.equal(await untilClosed(connection, processId), 2);
});

verifies('process.start.failure-is-silent', async (t) => {
  const connection = await t.open();
  await connection.refusal('process/start', startParams('p', ['/no/such/program']));
  const later = await startScript(connection, 'exit 0');
  await untilClosed(connection, later);
  assert.deepEqual(eventsOf(connection, 'p'), []);
});

verifies('process.start.duplicate-id', async (t) => {
  const connection = await t.open();
  const processId = await startScript(connection, 'exec sleep 60');
  const taken = { code: -32600, message: `process ${processId} already exists` };
  const again = async (argv: string[]) => ({
    ...(await connection.refusal('process/start', startParams(processId, argv))),
  });
  assert.deepEqual(await again(['/bin/true']), taken, 'while it runs');
  assert.deepEqual(await again(['/no/such/program']), taken, 'before the program is looked at');
  await connection.call('process/terminate', { processId });
  await untilClosed(connection, processId);
  assert.deepEqual(await again(['/bin/true']), taken, 'after it has closed');
});

verifies('process.start.cwd-refused', async (t) => {
  const connection = await t.open();
  const refused = [
    'tmp',
    './tmp',
    '',
    'http://localhost/tmp',
    'file://host/tmp',
    'file:///C:/tmp',
    'file:///tmp?x',
    'file:///tmp#x',
    'file:///tmp/%00x',
  ];
  for (const cwd of refused) {
    assert.equal((await refusal(connection, shell('pwd'), { cwd })).code, -32602, cwd);
  }
});

interface Refusal {
  readonly code: number;
  readonly message: string;
}

async function refusal(connection: Conversation, argv: string[], more: JsonObject = {}): Promise<Refusal> {
  return connection.refusal('process/start', startParams('refused', argv, more));
}

/** The text begins as the system's does; a server may add which program or directory it means. */
function assertRefusal(actual: Refusal, expected: Refusal): void {
  assert.equal(actual.code, expected.code, actual.message);
  assert.ok(actual.message.startsWith(expected.message), `${actual.message} begins with ${expected.message}`);
}

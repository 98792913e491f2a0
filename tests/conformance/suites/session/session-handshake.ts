// The two-step handshake and every refusal around it.
import assert from 'node:assert/strict';
import { verifies } from '../../runner/registry.js';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

/** One request per family, each valid in itself. */
const FAMILIES = [
  { family: 'environment status', method: 'environment/status', params: null },
  { family: 'environment info', method: 'environment/info', params: null },
  { family: 'exec', method: 'process/read', params: { processId: 'x' } },
  { family: 'exec', method: 'process/terminate', params: { processId: 'x' } },
  { family: 'filesystem', method: 'fs/close', params: { handleId: 'x' } },
  { family: 'filesystem', method: 'fs/getMetadata', params: { path: 'file:///' } },
];

verifies('session.initialize.session-id', async (t) => {
  const ids = new Set<unknown>();
  for (let round = 0; round < 3; round++) {
    const result = await t.initialize(await t.connect());
    assert.match(String(result['sessionId']), UUID);
    ids.add(result['sessionId']);
  }
  assert.equal(ids.size, 3);
});

verifies('session.initialize.environment-info', async (t) => {
  const connection = await t.connect();
  const result = await t.initialize(connection);
  assert.deepEqual(result['environmentInfo'], await connection.call('environment/info'));
});

verifies('session.initialize.client-name-required', async (t) => {
  const connection = await t.connect();
  const refusal = await connection.refusal('initialize', {});
  assert.deepEqual({ ...refusal }, { code: -32602, message: 'missing field `clientName`' });
});

verifies('session.initialize.client-name-type', async (t) => {
  const connection = await t.connect();
  for (const clientName of [5, null, {}, ['x'], true]) {
    assert.equal(
      (await connection.refusal('initialize', { clientName })).code,
      -32602,
      JSON.stringify(clientName),
    );
  }
  await connection.call('initialize', { clientName: '' });
});

verifies('session.initialize.params-required', async (t) => {
  const connection = await t.connect();
  assert.equal((await connection.refusal('initialize')).code, -32602);
  assert.equal((await connection.refusal('initialize', null)).code, -32602);
  assert.equal((await connection.refusal('initialize', 'x')).code, -32602);
});

verifies('session.initialize.unknown-members', async (t) => {
  await t.initialize(await t.connect(), { resumeSessionId: null, x: 1, capabilities: { y: [] } });
});

verifies('session.initialize.once', async (t) => {
  const connection = await t.open();
  const refusal = await connection.refusal('initialize', { clientName: 'again' });
  assert.deepEqual(
    { ...refusal },
    { code: -32600, message: 'initialize may only be sent once per connection' },
  );
  await connection.call('environment/status');
});

verifies('session.initialize.retry-after-refusal', async (t) => {
  const connection = await t.connect();
  await connection.refusal('initialize', {});
  await connection.refusal('initialize', { clientName: 'x', resumeSessionId: 'nope' });
  await t.initialize(connection);
  await connection.call('environment/status');
});

verifies('session.initialize.required-first', async (t) => {
  const connection = await t.connect();
  for (const { family, method, params } of FAMILIES) {
    const refusal = await connection.refusal(method, params);
    const message = `client must call initialize before using ${family} methods`;
    assert.deepEqual({ ...refusal }, { code: -32600, message });
  }
});

verifies('session.initialized.required-second', async (t) => {
  const connection = await t.connect();
  await connection.call('initialize', { clientName: 'x' });
  for (const { family, method, params } of FAMILIES) {
    const refusal = await connection.refusal(method, params);
    const message = `client must send initialized before using ${family} methods`;
    assert.deepEqual({ ...refusal }, { code: -32600, message });
  }
});

verifies('session.refusals.in-order', async (t) => {
  const connection = await t.connect();
  for (const [index, { method, params }] of FAMILIES.entries())
    connection.send({ id: `a${index}`, method, params });
  connection.send({ id: 'init', method: 'initialize', params: { clientName: 'x' } });
  for (const [index, { method, params }] of FAMILIES.entries())
    connection.send({ id: `b${index}`, method, params });
  connection.notify('initialized');
  connection.send({ id: 'ready', method: 'environment/status' });
  assert.deepEqual((await connection.reply('ready')).result, { status: 'ready' });
  const expected = [
    ...FAMILIES.map(({ family }, index) => [
      `a${index}`,
      `client must call initialize before using ${family} methods`,
    ]),
    ['init', undefined],
    ...FAMILIES.map(({ family }, index) => [
      `b${index}`,
      `client must send initialized before using ${family} methods`,
    ]),
    ['ready', undefined],
  ];
  assert.deepEqual(
    connection.received.map((message) => [message.id, message.error?.message]),
    expected,
  );
});

verifies('session.refusals.params-before-state', async (t) => {
  const connection = await t.connect();
  const bad = async () => ({ ...(await connection.refusal('process/read', {})) });
  const expected = { code: -32602, message: 'missing field `processId`' };
  assert.deepEqual(await bad(), expected);
  await connection.call('initialize', { clientName: 'x' });
  assert.deepEqual(await bad(), expected);
});

verifies('session.refusals.method-before-state', async (t) => {
  const connection = await t.connect();
  assert.equal((await connection.refusal('nosuch')).code, -32601);
  await connection.call('initialize', { clientName: 'x' });
  assert.equal((await connection.refusal('nosuch')).code, -32601);
});

verifies('session.initialized.any-params', async (t) => {
  for (const params of [undefined, null, {}, { a: 1 }, [], [1, {}], 5, 'x']) {
    const connection = await t.connect();
    await connection.call('initialize', { clientName: 'x' });
    connection.notify('initialized', params);
    await connection.call('environment/status');
  }
});

verifies('session.initialized.silent', async (t) => {
  const connection = await t.open();
  connection.notify('initialized');
  connection.notify('initialized', {});
  await connection.call('environment/status');
  await connection.call('environment/status');
  assert.equal(connection.received.length, 3, 'one reply to each request and nothing else');
});

verifies('session.initialized.too-early', async (t) => {
  const connection = await t.connect();
  connection.notify('initialized', {});
  connection.request('environment/status');
  const isEarly = () => (connection.end ? 'ended' : connection.received.find((message) => message.id === -1));
  const outcome = await connection.until(isEarly, 'an error with id -1, or the end of the connection');
  if (outcome !== 'ended') assert.equal(outcome.error?.code, -32600);
  const accepted = connection.received.filter((message) => message.result !== undefined);
  assert.deepEqual(accepted, []);
  await (await t.open()).call('environment/status');
});

verifies('session.initialized.not-a-request', async (t) => {
  const connection = await t.connect();
  await connection.call('initialize', { clientName: 'x' });
  assert.equal((await connection.refusal('initialized', {})).code, -32601);
  assert.equal((await connection.refusal('environment/status')).code, -32600);
});

// Ids, params and members that a server must take or tolerate.
import assert from 'node:assert/strict';
import { verifies } from '../../runner/registry.js';
import { withDepth, withValues } from './envelope-fixture.js';

const NOT_IMPLEMENTED = (method: string) => `exec-server stub does not implement \`${method}\` yet`;

verifies('envelope.id.string', async (t) => {
  const connection = await t.open();
  for (const id of ['', 'a', 'with "quotes" and \u0000', 'ünïcödé 🙂', '1', '__proto__']) {
    connection.send({ id, method: 'environment/status' });
    assert.deepEqual((await connection.reply(id)).result, { status: 'ready' });
  }
});

verifies('envelope.id.integer', async (t) => {
  const connection = await t.open();
  for (const id of [0, 7_000, -1, -5, 2 ** 31, Number.MAX_SAFE_INTEGER]) {
    connection.send({ id, method: 'environment/status' });
    assert.deepEqual((await connection.reply(id)).result, { status: 'ready' });
  }
});

verifies('envelope.id.beyond-double', async (t) => {
  const connection = await t.open();
  for (const id of ['9007199254740993', '9223372036854775807', '-9223372036854775808']) {
    connection.send(`{"id":${id},"method":"environment/status"}`);
    connection.send(`{"id":${id},"method":"nosuch"}`);
    const carriesId = (text: string) => new RegExp(`"id":${id}[,}]`).test(text);
    await connection.next(
      (message) => message.result !== undefined && carriesId(message.text),
      `result with id ${id}`,
    );
    await connection.next(
      (message) => message.error !== undefined && carriesId(message.text),
      `error with id ${id}`,
    );
  }
});

verifies('envelope.id.repeated', async (t) => {
  const connection = await t.open();
  connection.send({ id: 'same', method: 'environment/status' });
  connection.send({ id: 'same', method: 'environment/status' });
  await connection.until(
    () => (connection.received.filter((message) => message.id === 'same').length === 2 ? true : undefined),
    'two replies with the same id',
  );
});

verifies('envelope.params.no-params-forms', async (t) => {
  const connection = await t.open();
  const bare = await connection.call('environment/status');
  assert.deepEqual(await connection.call('environment/status', null), bare);
  assert.deepEqual(await connection.call('environment/status', {}), bare);
});

verifies('envelope.params.no-params-refused', async (t) => {
  const connection = await t.open();
  for (const params of [{ x: 1 }, [], [1], 'x', 5, false]) {
    assert.equal(
      (await connection.refusal('environment/status', params)).code,
      -32602,
      JSON.stringify(params),
    );
  }
});

verifies('envelope.params.array', async (t) => {
  const connection = await t.open();
  assert.equal((await connection.refusal('process/read', [])).code, -32602);
  assert.equal((await connection.refusal('process/read', 'x')).code, -32602);
  assert.equal((await connection.refusal('process/read')).code, -32602);
});

verifies('envelope.jsonrpc.ignored', async (t) => {
  const connection = await t.open();
  for (const jsonrpc of ['2.0', '1.0', 2, null, {}]) {
    const id = `v${JSON.stringify(jsonrpc)}`;
    connection.send({ jsonrpc, id, method: 'environment/status' });
    const reply = await connection.reply(id);
    assert.deepEqual(Object.keys(JSON.parse(reply.text)).sort(), ['id', 'result']);
  }
});

verifies('envelope.members.unknown', async (t) => {
  const connection = await t.open();
  connection.send({ id: 'x', method: 'environment/status', extra: [1, { deep: null }], session: 'y' });
  assert.deepEqual((await connection.reply('x')).result, { status: 'ready' });
});

verifies('envelope.members.request-wins', async (t) => {
  const connection = await t.open();
  connection.send({ id: 'x', method: 'environment/status', result: 1, error: 2 });
  assert.deepEqual((await connection.reply('x')).result, { status: 'ready' });
});

verifies('envelope.whitespace.accepted', async (t) => {
  const connection = await t.open();
  connection.send(' \r\n\t{ "id" : "x" ,\n "method" : "environment/status" }\n');
  assert.deepEqual((await connection.reply('x')).result, { status: 'ready' });
});

verifies('envelope.trace.tolerated', async (t) => {
  const connection = await t.open();
  const traces = [
    null,
    {},
    { traceparent: null, tracestate: null },
    { traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01', tracestate: 'a=b' },
    { traceparent: 'no trace', other: 1 },
  ];
  for (const [index, trace] of traces.entries()) {
    connection.send({ id: `t${index}`, method: 'environment/status', trace });
    assert.deepEqual((await connection.reply(`t${index}`)).result, { status: 'ready' });
  }
});

verifies('envelope.method.unknown', async (t) => {
  const connection = await t.open();
  for (const method of ['nosuch', '', 'process/', 'PROCESS/START', 'process/start ', 'fs']) {
    const refusal = await connection.refusal(method, {});
    assert.deepEqual({ ...refusal }, { code: -32601, message: NOT_IMPLEMENTED(method) });
  }
});

verifies('envelope.method.prototype-names', async (t) => {
  const connection = await t.open();
  for (const method of ['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf']) {
    const refusal = await connection.refusal(method, {});
    assert.deepEqual({ ...refusal }, { code: -32601, message: NOT_IMPLEMENTED(method) });
  }
});

verifies('envelope.prototype.params', async (t) => {
  const connection = await t.connect();
  connection.send('{"id":1,"method":"initialize","params":{"__proto__":{"clientName":"x"}}}');
  const { error } = await connection.reply(1);
  assert.deepEqual({ ...error }, { code: -32602, message: 'missing field `clientName`' });
  connection.send(
    '{"id":2,"method":"initialize","params":{"clientName":"x","__proto__":{"a":1},"constructor":1}}',
  );
  assert.ok((await connection.reply(2)).result);
});

verifies('envelope.prototype.envelope', async (t) => {
  const connection = await t.open();
  connection.send('{"__proto__":{"method":"nosuch"},"id":"a","method":"environment/status"}');
  assert.deepEqual((await connection.reply('a')).result, { status: 'ready' });
  connection.send('{"__proto__":{"method":"environment/status"},"id":"b"}');
  const reply = await connection.next((message) => message.error !== undefined, 'an error');
  assert.deepEqual([reply.id, reply.error?.code], [-1, -32600]);
});

verifies('envelope.number.huge', async (t) => {
  const connection = await t.open();
  for (const [index, number] of ['1e999', '-1e999', '9'.repeat(5_000), `0.${'1'.repeat(5_000)}`].entries()) {
    connection.send(`{"id":"n${index}","method":"nosuch","params":[${number}]}`);
    assert.equal((await connection.reply(`n${index}`)).error?.code, -32601);
  }
});

verifies('envelope.depth.allowed', async (t) => {
  const connection = await t.open();
  connection.send(withDepth(127));
  assert.equal(
    (await connection.next((message) => message.error !== undefined, 'an error')).error?.code,
    -32601,
  );
});

verifies('envelope.values.allowed', async (t) => {
  const connection = await t.open();
  connection.send(withValues(262_144));
  assert.equal(
    (await connection.next((message) => message.error !== undefined, 'an error')).error?.code,
    -32601,
  );
});

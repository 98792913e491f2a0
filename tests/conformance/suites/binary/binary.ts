// Payloads as raw bytes: agreed on at `initialize`, the same in meaning as base64 in text.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { binaryMessage, splitBinary } from '../../client/binary-form.js';
import { type BinaryLink, binaryLink } from '../../client/binary-link.js';
import { Conversation } from '../../client/conversation.js';
import { isObject } from '../../client/message.js';
import { stdioLink } from '../../client/stdio-link.js';
import type { CheckContext } from '../../runner/check-context.js';
import { verifies } from '../../runner/registry.js';
import {
  bytesOf,
  nextProcessId,
  outputOf,
  startScript,
  textOf,
  untilClosed,
} from '../process/process-fixture.js';

const ODD_BYTES = Buffer.from(Array.from({ length: 256 }, (_, index) => index));
const ODD_SCRIPT = String.raw`printf '\000\001\377"\\\n'`;
const ODD_OUTPUT = Buffer.from('0001ff225c0a', 'hex');

interface Spoken {
  readonly connection: Conversation;
  readonly link: BinaryLink;
  readonly result: unknown;
}

async function speakBinary(t: CheckContext, params: Readonly<Record<string, unknown>> = {}): Promise<Spoken> {
  const link = binaryLink(await t.openLink());
  const connection = t.adopt(new Conversation(link));
  return { connection, link, result: await t.initialize(connection, params) };
}

const methodsIn = (link: BinaryLink) => link.heard.map((bytes) => splitBinary(bytes).message['method']);

async function connectPlainly(t: CheckContext): Promise<Conversation> {
  return t.adopt(new Conversation(await t.openLink()));
}

verifies('binary.payloads.announced', async (t) => {
  const connection = await connectPlainly(t);
  const result = await t.initialize(connection);
  const infos = [result['environmentInfo'], await connection.call('environment/info')];
  for (const info of infos) {
    assert.ok(isObject(info) && isObject(info['capabilities']));
    assert.equal(info['capabilities']['binaryPayloads'], true);
  }
});

verifies('binary.payloads.unasked', async (t) => {
  const connection = await connectPlainly(t);
  await t.initialize(connection, { binaryPayloads: false });
  const processId = await startScript(connection, 'echo plain');
  await untilClosed(connection, processId);
  await connection.call('process/read', { processId });
  // A binary frame is a fault of such a conversation.
  assert.equal(textOf(connection, processId), 'plain\n');
});

verifies('binary.payloads.output', async (t) => {
  const { connection, link } = await speakBinary(t);
  const processId = await startScript(connection, `${ODD_SCRIPT}; sleep 0.05; echo more >&2; exit 3`);
  await untilClosed(connection, processId);
  assert.deepEqual(
    methodsIn(link),
    link.heard.map(() => 'process/output'),
  );
  const events = outputOf(connection, processId);
  assert.deepEqual(
    events.map(({ seq }) => seq),
    events.map((_, index) => index + 1),
  );
  const stdout = events
    .filter(({ stream }) => stream === 'stdout')
    .map(({ chunk }) => Buffer.from(chunk, 'base64'));
  assert.deepEqual(Buffer.concat(stdout), ODD_OUTPUT);
  const order = connection.received
    .map(({ method }) => method)
    .filter((method) => method?.startsWith('process/'));
  assert.deepEqual(order.slice(-2), ['process/exited', 'process/closed']);
});

verifies('binary.payloads.replies', async (t) => {
  const { connection, link } = await speakBinary(t);
  const file = join(await t.scratch(), 'bytes');
  await writeFile(file, ODD_BYTES);
  const processId = await startScript(connection, ODD_SCRIPT);
  await untilClosed(connection, processId);
  const before = link.heard.length;
  const read = await connection.call('process/read', { processId });
  const chunks = read['chunks'] as { chunk: string }[];
  assert.deepEqual(Buffer.concat(chunks.map(({ chunk }) => Buffer.from(chunk, 'base64'))), ODD_OUTPUT);
  const whole = await connection.call('fs/readFile', { path: `file://${file}`, sandbox: null });
  assert.equal(whole['dataBase64'], ODD_BYTES.toString('base64'));
  await connection.call('fs/open', { handleId: 'h', path: `file://${file}`, sandbox: null });
  const block = await connection.call('fs/readBlock', { handleId: 'h', offset: 1, len: 300 });
  assert.deepEqual(block, { chunk: ODD_BYTES.subarray(1).toString('base64'), eof: true });
  assert.equal(link.heard.length - before, 3);
});

verifies('binary.payloads.requests', async (t) => {
  const { connection, link } = await speakBinary(t);
  const folder = await t.scratch();
  const path = (name: string) => `file://${join(folder, name)}`;
  const dataBase64 = ODD_BYTES.toString('base64');
  await connection.call('fs/writeFile', { path: path('a'), dataBase64, sandbox: null });
  connection.send(
    JSON.stringify({ id: 'text', method: 'fs/writeFile', params: { path: path('b'), dataBase64: 'no' } }),
  );
  assert.ok((await connection.reply('text')).error, 'what is no base64 is refused as ever');
  assert.deepEqual(await readFile(join(folder, 'a')), ODD_BYTES);
  assert.equal(link.said, 1);
  const processId = nextProcessId();
  await startScript(connection, 'cat', { processId, pipeStdin: true });
  for (const text of ['one ', 'two']) {
    const chunk = Buffer.from(text).toString('base64');
    assert.equal(
      (await connection.call('process/write', { processId, chunk, writeId: text }))['status'],
      'accepted',
    );
  }
  await connection.call('process/closeStdin', { processId });
  await untilClosed(connection, processId);
  assert.equal(textOf(connection, processId), 'one two');
  assert.equal(link.said, 3);
});

verifies('binary.payloads.pipelined', async (t) => {
  const { connection } = await speakBinary(t);
  const path = `file://${join(await t.scratch(), 'file')}`;
  const ids = Array.from({ length: 40 }, (_, index) => {
    const dataBase64 = Buffer.from(`${index}`).toString('base64');
    connection.request('fs/writeFile', { path, dataBase64, sandbox: null });
    return connection.request('fs/readFile', { path, sandbox: null });
  });
  for (const [index, id] of ids.entries()) {
    const { result } = await connection.reply(id);
    assert.ok(isObject(result));
    assert.equal(Buffer.from(String(result['dataBase64']), 'base64').toString(), `${index}`);
  }
});

verifies('binary.payloads.refused-request', async (t) => {
  const { connection } = await speakBinary(t);
  const payload = Buffer.from('four');
  const requests = [
    ['a', 'process/start', '{"processId":"x","chunk":4}'],
    ['b', 'process/write', '{"processId":"x","chunk":3}'],
    ['c', 'process/write', '{"processId":"x","chunk":"Zm91cg=="}'],
    ['d', 'fs/writeFile', '{"path":"file:///nowhere/x","dataBase64":-4}'],
    ['e', 'fs/writeFile', 'null'],
    ['f', 'nosuch', '{"chunk":4}'],
  ] as const;
  for (const [id, method, params] of requests) {
    connection.send(binaryMessage(`{"id":"${id}","method":"${method}","params":${params}}`, payload));
    const { error } = await connection.reply(id);
    assert.equal(error?.code, -32600, `${id}: ${error?.message}`);
  }
  await connection.call('environment/status');
});

verifies('binary.payloads.malformed', async (t) => {
  const { connection } = await speakBinary(t);
  const request = '{"id":1,"method":"environment/status"}';
  const good = binaryMessage(request, Buffer.from('xx'));
  const lying = (offset: number) => {
    const bytes = Buffer.from(good);
    bytes.writeUInt32BE(bytes.readUInt32BE(offset) + 1, offset);
    return bytes;
  };
  const broken: [string, Uint8Array][] = [
    ['nothing', Buffer.alloc(0)],
    ['a short header', good.subarray(0, 8)],
    ['an unknown kind', binaryMessage(request, Buffer.alloc(0), 2)],
    ['JSON', Buffer.from(request)],
    ['a text length that lies', lying(1)],
    ['a payload length that lies', lying(5)],
    ['lengths of 4 GiB', Buffer.from(`01${'ff'.repeat(8)}`, 'hex')],
    ['a cut payload', good.subarray(0, -1)],
    ['a text that is no JSON', binaryMessage('{', Buffer.from('xx'))],
    [
      'a text that is not UTF-8',
      Buffer.concat([binaryMessage('').subarray(0, 4), Buffer.from('0100000000ff', 'hex')]),
    ],
  ];
  for (const [name, bytes] of broken) {
    const from = connection.received.length;
    connection.send(bytes);
    const { error } = await connection.next((message) => message.id === -1, `an answer to ${name}`, { from });
    assert.equal(error?.code, -32600, name);
  }
  await connection.call('environment/status');
});

verifies('binary.payloads.before', async (t) => {
  const connection = await connectPlainly(t);
  const request = binaryMessage('{"id":1,"method":"process/write","params":{"chunk":2}}', Buffer.from('xx'));
  connection.send(request);
  const early = await connection.next((message) => message.id === -1, 'an error');
  assert.equal(early.error?.code, -32600);
  await t.initialize(connection, { binaryPayloads: false });
  const from = connection.received.length;
  connection.send(request);
  const late = await connection.next((message) => message.id === -1, 'an error', { from });
  assert.equal(late.error?.code, -32600);
});

verifies('binary.payloads.resumed', async (t) => {
  const first = await speakBinary(t, { resumeSessionId: null });
  const processId = await startScript(first.connection, 'echo one; read line; echo "$line"', {
    pipeStdin: true,
  });
  await first.connection.until(() => outputOf(first.connection, processId)[0], 'output');
  first.connection.close();
  await first.connection.ended();
  const { sessionId } = first.result as { sessionId: string };
  const text = await connectPlainly(t);
  await t.initialize(text, { resumeSessionId: sessionId, binaryPayloads: false });
  const read = await text.call('process/read', { processId });
  assert.equal((read['chunks'] as unknown[]).length, 1);
  text.close();
  await text.ended();
  const again = await speakBinary(t, { resumeSessionId: sessionId });
  await again.connection.call('process/read', { processId, afterSeq: 1 });
  const chunk = Buffer.from('two\n').toString('base64');
  await again.connection.call('process/write', { processId, chunk, writeId: 'w' });
  await untilClosed(again.connection, processId);
  assert.equal(textOf(again.connection, processId), 'two\n');
  assert.ok(methodsIn(again.link).includes('process/output'));
});

verifies('binary.payloads.stdio', async (t) => {
  const program = await t.launch(['--listen', 'stdio']);
  const link = binaryLink(stdioLink(program.child));
  const connection = t.adopt(new Conversation(link));
  await t.initialize(connection);
  const processId = await startScript(connection, 'cat', { pipeStdin: true });
  const chunk = ODD_BYTES.toString('base64');
  await connection.call('process/write', { processId, chunk, writeId: 'w' });
  await connection.call('process/closeStdin', { processId });
  await untilClosed(connection, processId);
  assert.deepEqual(bytesOf(outputOf(connection, processId)), ODD_BYTES);
  assert.ok(link.said === 1 && link.heard.length > 0);
  connection.send(
    binaryMessage('{"id":"w","method":"process/start","params":{"chunk":1}}', Buffer.from('\n')),
  );
  assert.equal((await connection.reply('w')).error?.code, -32600);
  await connection.call('environment/status');
});

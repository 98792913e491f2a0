// The server as a program: stdio, the address it prints, and signals.
import assert from 'node:assert/strict';
import { verifies } from '../../runner/registry.js';
import { isGoneWithin } from '../process/host-process.js';
import { startScript, textOf, untilClosed, untilOutput } from '../process/process-fixture.js';

verifies('transport.stdio.handshake', async (t) => {
  const { connection } = await t.openStdio();
  const result = await t.initialize(connection);
  assert.match(String(result['sessionId']), /^[0-9a-f-]{36}$/);
  const processId = await startScript(connection, 'echo over stdio');
  await untilClosed(connection, processId);
  assert.equal(textOf(connection, processId), 'over stdio\n');
});

verifies('transport.stdio.blank-lines', async (t) => {
  const { connection } = await t.openStdio();
  connection.send('');
  connection.send('   ');
  connection.send('{"id":"a","method":"initialize","params":{"clientName":"x"}}\r');
  assert.ok((await connection.reply('a')).result);
  assert.equal(connection.received.length, 1, 'blank lines are not answered');
});

verifies('transport.stdio.malformed', async (t) => {
  const { connection } = await t.openStdio();
  connection.send('{nope');
  const reply = await connection.next(() => true, 'an error');
  assert.deepEqual([reply.id, reply.error?.code], [-1, -32600]);
  assert.match(String(reply.error?.message), /^failed to parse JSON-RPC message from exec-server stdio: ./);
  await t.initialize(connection);
});

verifies('transport.stdio.end', async (t) => {
  const { program, connection } = await t.openStdio();
  await t.initialize(connection);
  const processId = await startScript(connection, 'echo pid=$$.; exec sleep 60');
  const pid = Number(/pid=(\d+)\./.exec(await untilOutput(connection, processId, '.\n'))?.[1]);
  connection.close();
  assert.deepEqual(await program.exited, { code: 0, signal: null });
  assert.ok(await isGoneWithin(pid, 10_000), 'its process has ended');
});

verifies('transport.listen.address', async (t) => {
  const program = await t.launch(['--listen', 'ws://127.0.0.1:0']);
  const url = await program.firstLine();
  assert.match(url, /^ws:\/\/127\.0\.0\.1:[1-9]\d*$/);
  await t.initialize(await t.connect({ url }));
});

verifies('transport.listen.invalid', async (t) => {
  for (const listen of ['http://127.0.0.1:0', 'ws://localhost:0', 'nonsense']) {
    const program = await t.launch(['--listen', listen]);
    const { code } = await program.exited;
    assert.ok(code !== 0 && code !== null, `${listen} ended with ${code}`);
    const stderr = await program.stderr;
    assert.ok(stderr.includes(listen), `the error quotes ${listen}: ${stderr}`);
  }
});

verifies('transport.signal.term', async (t) => {
  const program = await t.launch(['--listen', 'ws://127.0.0.1:0']);
  const connection = await t.connect({ url: await program.firstLine() });
  await t.initialize(connection, { resumeSessionId: null });
  const processId = await startScript(connection, 'echo pid=$$.; exec sleep 60');
  const pid = Number(/pid=(\d+)\./.exec(await untilOutput(connection, processId, '.\n'))?.[1]);
  program.child.kill('SIGTERM');
  assert.deepEqual(await program.exited, { code: 0, signal: null });
  assert.ok(await isGoneWithin(pid, 10_000), 'its process has ended');
});

verifies('transport.signal.int', async (t) => {
  const program = await t.launch(['--listen', 'ws://127.0.0.1:0']);
  await t.initialize(await t.connect({ url: await program.firstLine() }));
  program.child.kill('SIGINT');
  assert.deepEqual(await program.exited, { code: 0, signal: null });
});

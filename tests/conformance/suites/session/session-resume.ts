// Sessions that outlive their connection.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { verifies } from '../../runner/registry.js';
import {
  base64,
  bytesOf,
  type OutputEvent,
  readAll,
  startScript,
  untilOutput,
  writeText,
} from '../process/process-fixture.js';
import { dropAndResume, openResumable, resume } from './session-fixture.js';

const UNKNOWN = '00000000-0000-4000-8000-000000000000';

verifies('session.resume.unknown', async (t) => {
  const connection = await t.connect();
  for (const resumeSessionId of [UNKNOWN, '', 'nope', '__proto__', 'x'.repeat(10_000)]) {
    const refusal = await connection.refusal('initialize', { clientName: 'x', resumeSessionId });
    assert.deepEqual({ ...refusal }, { code: -32600, message: `unknown session id ${resumeSessionId}` });
  }
});

verifies('session.resume.id-type', async (t) => {
  const connection = await t.connect();
  for (const resumeSessionId of [5, true, {}, ['x']]) {
    assert.equal((await connection.refusal('initialize', { clientName: 'x', resumeSessionId })).code, -32602);
  }
});

verifies('session.resume.attached', async (t) => {
  const { holder, sessionId } = await openResumable(t);
  const other = await t.connect();
  const refusal = await other.refusal('initialize', { clientName: 'x', resumeSessionId: sessionId });
  const message = `session ${sessionId} is already attached to another connection`;
  assert.deepEqual({ ...refusal }, { code: -32010, message });
  await holder.call('environment/status');
});

verifies('session.resume.after-refusal', async (t) => {
  const { holder, sessionId } = await openResumable(t);
  const other = await t.connect();
  await other.refusal('initialize', { clientName: 'x', resumeSessionId: sessionId });
  holder.drop();
  const result = await resume(other, sessionId);
  assert.equal(result['sessionId'], sessionId);
});

verifies('session.resume.same-id', async (t) => {
  const { holder, sessionId } = await openResumable(t);
  holder.drop();
  const resumed = await t.connect();
  assert.equal((await resume(resumed, sessionId))['sessionId'], sessionId);
  await resumed.call('environment/status');
});

verifies('session.resume.after-close', async (t) => {
  const { holder, sessionId } = await openResumable(t);
  holder.close();
  const next = await t.connect();
  assert.equal((await resume(next, sessionId))['sessionId'], sessionId);
});

verifies('session.resume.processes', async (t) => {
  const { holder, sessionId } = await openResumable(t);
  const processId = await startScript(holder, 'echo before; exec sleep 60');
  await untilOutput(holder, processId, 'before');
  const resumed = await dropAndResume(t, holder, sessionId);
  const read = await resumed.call('process/read', { processId, afterSeq: null, maxBytes: null, waitMs: 0 });
  assert.equal(read['exited'], false);
  assert.equal(bytesOf(read['chunks'] as OutputEvent[]).toString(), 'before\n');
  assert.deepEqual(await resumed.call('process/terminate', { processId }), { running: true });
});

verifies('session.resume.output-while-detached', async (t) => {
  const { holder, sessionId } = await openResumable(t);
  const processId = await startScript(
    holder,
    'echo ready; read go; for i in 1 2 3 4 5; do echo line $i; done',
    {
      pipeStdin: true,
    },
  );
  await untilOutput(holder, processId, 'ready');
  holder.send({
    id: 'go',
    method: 'process/write',
    params: { processId, chunk: base64('go\n'), writeId: 'go' },
  });
  await holder.reply('go');
  const resumed = await dropAndResume(t, holder, sessionId);
  const chunks = await readAll(resumed, processId);
  assert.equal(bytesOf(chunks).toString(), 'ready\nline 1\nline 2\nline 3\nline 4\nline 5\n');
  const { nextSeq } = await resumed.call('process/read', { processId });
  assert.equal(nextSeq, chunks.length + 3, 'every seq is output, the exit or the close');
});

verifies('session.resume.notifications', async (t) => {
  const { holder, sessionId } = await openResumable(t);
  const processId = await startScript(holder, 'while read line; do echo got $line; done', {
    pipeStdin: true,
  });
  await writeText(holder, processId, 'one\n');
  await untilOutput(holder, processId, 'got one');
  const resumed = await dropAndResume(t, holder, sessionId);
  await writeText(resumed, processId, 'two\n');
  await untilOutput(resumed, processId, 'got two');
  await resumed.call('process/terminate', { processId });
});

verifies('session.resume.write-ids', async (t) => {
  const { holder, sessionId } = await openResumable(t);
  const processId = await startScript(holder, 'while read line; do echo got $line; done', {
    pipeStdin: true,
  });
  const once = { processId, chunk: base64('one\n'), writeId: 'same' };
  await holder.call('process/write', once);
  await untilOutput(holder, processId, 'got one');
  const resumed = await dropAndResume(t, holder, sessionId);
  assert.deepEqual(await resumed.call('process/write', once), { status: 'accepted' });
  await writeText(resumed, processId, 'two\n');
  await untilOutput(resumed, processId, 'got two');
  const read = await resumed.call('process/read', { processId, waitMs: 0 });
  assert.equal(bytesOf(read['chunks'] as OutputEvent[]).toString(), 'got one\ngot two\n');
  await resumed.call('process/terminate', { processId });
});

verifies('session.resume.file-handles', async (t) => {
  const file = join(await t.scratch(), 'file');
  await writeFile(file, 'content');
  const { holder, sessionId } = await openResumable(t);
  await holder.call('fs/open', { handleId: 'h', path: pathToFileURL(file).href });
  await holder.call('fs/readBlock', { handleId: 'h', offset: 0, len: 7 });
  const resumed = await dropAndResume(t, holder, sessionId);
  assert.equal((await resumed.refusal('fs/readBlock', { handleId: 'h', offset: 0, len: 7 })).code, -32004);
});

verifies('session.resume.long-poll', async (t) => {
  const { holder, sessionId } = await openResumable(t);
  const processId = await startScript(holder, 'exec sleep 60');
  holder.request('process/read', { processId, waitMs: 600_000 });
  const resumed = await dropAndResume(t, holder, sessionId);
  assert.deepEqual(await resumed.call('process/terminate', { processId }), { running: true });
});

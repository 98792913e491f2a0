// What becomes of a session and its processes when the connection goes, and who may have it then.
import assert from 'node:assert/strict';
import type { Conversation } from '../../client/conversation.js';
import { verifies } from '../../runner/registry.js';
import { isAlive, isGoneWithin } from '../process/host-process.js';
import { eventsOf, startScript, textOf, untilClosed, untilOutput } from '../process/process-fixture.js';
import { openResumable, resume } from './session-fixture.js';

verifies('session.takeover.silent-holder', async (t) => {
  const silent = await t.connect({ answersPings: false });
  const { sessionId } = await t.initialize(silent, { resumeSessionId: null });
  const heir = await t.connect();
  const reply = await heir.reply(heir.request('initialize', { clientName: 'x', resumeSessionId: sessionId }));
  assert.equal(reply.error, undefined, JSON.stringify(reply.error));
  assert.equal((await silent.ended()).code, 4001);
});

verifies('session.isolation.process-ids', async (t) => {
  const [one, two] = [await t.open(), await t.open()];
  const processId = 'shared-name';
  await startScript(one, 'echo one; exec sleep 60', { processId });
  assert.deepEqual(await two.call('process/terminate', { processId }), { running: false });
  assert.equal((await two.refusal('process/read', { processId })).code, -32600);
  await startScript(two, 'echo two; exec sleep 60', { processId });
  await untilOutput(one, processId, 'one');
  await untilOutput(two, processId, 'two');
  assert.deepEqual(await one.call('process/terminate', { processId }), { running: true });
  assert.deepEqual(await two.call('process/terminate', { processId }), { running: true });
});

verifies('session.isolation.notifications', async (t) => {
  const [one, two] = [await t.open(), await t.open()];
  const processId = await startScript(one, 'echo mine');
  await untilClosed(one, processId);
  await two.call('environment/status');
  assert.equal(textOf(one, processId), 'mine\n');
  assert.deepEqual(eventsOf(two, processId), []);
});

verifies('session.detach.resumable-lives', async (t) => {
  const { holder, sessionId } = await openResumable(t);
  const { pid, processId } = await startSleeper(holder);
  holder.drop();
  const next = await t.connect();
  await resume(next, sessionId);
  assert.ok(isAlive(pid), 'the process runs on');
  assert.deepEqual(await next.call('process/terminate', { processId }), { running: true });
  assert.ok(await isGoneWithin(pid, 10_000), 'terminate ends it');
});

verifies('session.detach.plain-ends', async (t) => {
  const plain = await t.connect();
  await t.initialize(plain);
  const { pid } = await startSleeper(plain);
  plain.drop();
  const gone = await isGoneWithin(pid, 5_000);
  if (!gone) process.kill(pid, 'SIGKILL');
  assert.ok(gone, 'the process of a client that cannot come back has ended');
});

verifies('session.ttl.requested', async (t) => {
  const { holder, sessionId } = await openResumable(t, { sessionTtlMs: 300 });
  const { pid } = await startSleeper(holder);
  holder.drop();
  assert.ok(await isGoneWithin(pid, 10_000), 'the process ends with its session');
  const late = await t.connect();
  const refusal = await late.refusal('initialize', { clientName: 'x', resumeSessionId: sessionId });
  assert.deepEqual({ ...refusal }, { code: -32600, message: `unknown session id ${sessionId}` });
});

async function startSleeper(connection: Conversation): Promise<{ processId: string; pid: number }> {
  const processId = await startScript(connection, 'echo pid=$$.; exec sleep 60');
  const output = await untilOutput(connection, processId, '.\n');
  return { processId, pid: Number(/pid=(\d+)\./.exec(output)?.[1]) };
}

// What an observer may do with a grant, and what it decides for an owner that asks.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../client/message.js';
import { verifies } from '../../runner/registry.js';
import {
  base64,
  shell,
  startParams,
  startScript,
  untilExited,
  untilOutput,
} from '../process/process-fixture.js';
import { openObserver, openWatched } from './observe-fixture.js';

verifies('observe.control.terminate', async (t) => {
  const { owner, observer, session } = await openWatched(t, { interventions: true });
  const processId = await startScript(owner, 'exec sleep 60');
  assert.deepEqual(await observer.call('control/terminate', { session, processId }), { running: true });
  assert.equal((await untilExited(owner, processId)).exitCode, 137);
  const told = await owner.next(({ method }) => method === 'session/intervention', 'the intervention');
  assert.deepEqual([told.params?.['processId'], told.params?.['what']], [processId, 'terminate']);
  const { events } = await observer.call('journal/read', { afterSeq: 0, session });
  const intervention = (events as JsonObject[]).find(({ kind }) => kind === 'intervention');
  assert.equal(intervention?.['processId'], processId);
  assert.equal(intervention['by'], told.params?.['by']);
});

verifies('observe.control.type', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const processId = 'terminal';
  const io = { type: 'pty', rows: 20, cols: 70 };
  const script = 'read line; echo "<$line>"; stty size; read end';
  await owner.call('process/start', startParams(processId, shell(script), { tty: true, io }));
  await observer.call('control/resize', { session, processId, rows: 41, cols: 121 });
  const typed = await observer.call('control/write', { session, processId, chunk: base64('hi\n') });
  assert.deepEqual(typed, { status: 'accepted' });
  await untilOutput(owner, processId, '<hi>');
  await untilOutput(owner, processId, '41 121');
  await observer.call('control/signal', { session, processId, signal: 'SIGKILL' });
  assert.equal((await untilExited(owner, processId)).exitCode, 137);
});

verifies('observe.approvals.decided', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const second = await openObserver(t);
  const question = { id: 'q', title: 'Run it?', argv: ['rm', '-r', '/x'], reason: 'to see' };
  const asked = owner.request('approvals/ask', question);
  const isQuestion = (method?: string, params?: JsonObject) =>
    method === 'approvals/changed' && ((params?.['approval'] ?? {}) as JsonObject)['session'] === session;
  const told = await observer.next(({ method, params }) => isQuestion(method, params), 'the question');
  const approval = told.params?.['approval'] as JsonObject;
  assert.deepEqual(
    [approval['title'], approval['argv'], approval['reason']],
    ['Run it?', question.argv, 'to see'],
  );
  const { approvals } = await second.call('approvals/list');
  assert.ok((approvals as JsonObject[]).some((one) => one['session'] === session && one['approval'] === 'q'));
  const bad = await observer.refusal('approvals/decide', { session, approval: 'q', decision: 'maybe' });
  assert.equal(bad.code, -32600);
  const decide = { session, approval: 'q', decision: 'allow', note: 'once' };
  assert.equal((await observer.call('approvals/decide', decide))['accepted'], true);
  const { result } = await owner.reply(asked);
  const { by, ...answer } = result as JsonObject;
  assert.deepEqual(answer, { decision: 'allow', decided: true, note: 'once' });
  assert.equal(typeof by, 'string');
  const late = await second.call('approvals/decide', { ...decide, decision: 'deny' });
  assert.deepEqual([late['accepted'], (late['outcome'] as JsonObject)['decision']], [false, 'allow']);
  // The same question again has the same answer.
  assert.equal((await owner.call('approvals/ask', question))['decision'], 'allow');
});

verifies('observe.approvals.withdrawn', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const asked = owner.request('approvals/ask', { id: 'w', title: 'Wait?' });
  await owner.call('approvals/withdraw', { id: 'w' });
  assert.deepEqual((await owner.reply(asked)).result, { decision: 'withdrawn', decided: false });
  const late = await observer.call('approvals/decide', { session, approval: 'w', decision: 'allow' });
  assert.equal(late['accepted'], false);
  const expired = await owner.call('approvals/ask', { id: 'e', title: 'Soon?', expiresInMs: 20 });
  assert.deepEqual(expired, { decision: 'expired', decided: false });
});

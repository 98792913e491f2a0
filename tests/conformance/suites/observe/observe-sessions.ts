// Who an observer is, and what it sees of sessions and processes.
import assert from 'node:assert/strict';
import { verifies } from '../../runner/registry.js';
import { nextProcessId, startParams, startScript, untilClosed } from '../process/process-fixture.js';
import { openObserver, openWatched, sessionsOf } from './observe-fixture.js';

verifies('observe.role.no-session', async (t) => {
  const observer = await t.connect();
  const result = await t.initialize(observer, { role: 'observer' });
  assert.equal(result['sessionId'], '');
  assert.ok((result['grants'] as string[]).includes('observe'));
  assert.equal((result['grants'] as string[]).includes('own'), false);
  const start = startParams(nextProcessId(), ['/bin/true']);
  for (const [method, params] of [
    ['process/start', start],
    ['process/list', undefined],
    ['fs/readFile', { path: 'file:///etc/passwd' }],
    ['approvals/ask', { id: 'a', title: 'x' }],
  ] as const) {
    assert.equal((await observer.refusal(method, params)).code, -32011, method);
  }
  assert.deepEqual(await observer.call('environment/status'), { status: 'ready' });
});

verifies('observe.role.owner-apart', async (t) => {
  const owner = await t.open();
  assert.equal((await owner.refusal('sessions/list')).code, -32011);
  assert.equal((await owner.refusal('journal/read', {})).code, -32011);
});

verifies('observe.sessions.handles', async (t) => {
  const { observer, session, sessionId, owner } = await openWatched(t, { resumeSessionId: null });
  const processId = await startScript(owner, 'echo hello');
  await untilClosed(owner, processId);
  await observer.call('observe/processes', {});
  await observer.call('journal/read', { afterSeq: 0 });
  const listed = (await sessionsOf(observer)).find((one) => one['session'] === session);
  assert.equal(listed?.['state'], 'attached');
  assert.equal(listed['processes'], 1);
  assert.notEqual(session, sessionId);
  assert.ok(observer.received.every(({ text }) => !text.includes(sessionId)));
  // The handle is no key to the session.
  const thief = await t.connect();
  const refusal = await thief.refusal('initialize', { clientName: 'x', resumeSessionId: session });
  assert.equal(refusal.code, -32600);
});

verifies('observe.sessions.away', async (t) => {
  const { observer, session, owner } = await openWatched(t, { resumeSessionId: null });
  const before = Date.now();
  owner.drop();
  const deadline = Date.now() + 10_000;
  for (;;) {
    const listed = (await sessionsOf(observer)).find((one) => one['session'] === session);
    assert.ok(listed, 'the session waits');
    if (listed['state'] === 'away') {
      assert.ok(Number(listed['expiresAtMs']) > before);
      return;
    }
    assert.ok(Date.now() < deadline, 'the session is away');
    await new Promise((done) => setTimeout(done, 20));
  }
});

verifies('observe.processes.summary', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const processId = nextProcessId();
  const argv = ['/bin/sh', '-c', 'exit 3', '--token', 'abcdefghijkl'];
  const io = { type: 'pty', rows: 31, cols: 97 };
  await owner.call('process/start', startParams(processId, argv, { tty: true, io }));
  await untilClosed(owner, processId);
  const { processes } = await observer.call('observe/processes', { session });
  const [{ process: listed } = { process: undefined }] = processes as { process?: Record<string, unknown> }[];
  assert.ok(listed);
  assert.deepEqual(
    [listed['processId'], listed['rows'], listed['cols'], listed['exitCode'], listed['state']],
    [processId, 31, 97, 3, 'closed'],
  );
  assert.deepEqual(
    [listed['sandboxType'], listed['sandboxDenied'], listed['stalled']],
    ['none', false, false],
  );
  assert.ok(Number(listed['endedAtMs']) >= Number(listed['startedAtMs']));
  assert.deepEqual(listed['argv'], ['/bin/sh', '-c', 'exit 3', '--token', '***']);
  const refusal = await (await openObserver(t)).refusal('observe/processes', { session: 's-none' });
  assert.equal(refusal.code, -32600);
});

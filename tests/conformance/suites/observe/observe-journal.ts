// The journal: what happened, and who did it.
import assert from 'node:assert/strict';
import type { JsonObject } from '../../client/message.js';
import { verifies } from '../../runner/registry.js';
import { startScript, untilClosed } from '../process/process-fixture.js';
import { openWatched } from './observe-fixture.js';

const kindsOf = (events: unknown): string[] => (events as JsonObject[]).map(({ kind }) => String(kind));

verifies('observe.journal.events', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const processId = await startScript(owner, 'exit 5', { metadata: { threadId: 't1', toolCallId: 'c1' } });
  await untilClosed(owner, processId);
  const refused = await owner.refusal('process/start', {
    processId: 'nothing',
    argv: ['/does/not/exist'],
    cwd: 'file:///',
    env: {},
    tty: false,
  });
  assert.equal(refused.code, -32603);
  const gone = async (): Promise<JsonObject[]> => {
    for (;;) {
      const { events } = await observer.call('journal/read', { afterSeq: 0, session });
      if (kindsOf(events).includes('processGone')) return events as JsonObject[];
      await new Promise((done) => setTimeout(done, 20));
    }
  };
  const events = await gone();
  assert.equal(events[0]?.['kind'], 'sessionOpened');
  const started = events.find(({ kind }) => kind === 'processStarted');
  assert.deepEqual([started?.['processId'], started?.['sandboxType']], [processId, 'none']);
  assert.deepEqual(started?.['metadata'], { threadId: 't1', toolCallId: 'c1' });
  assert.ok(Number(started['pid']) > 0);
  assert.equal(events.find(({ kind }) => kind === 'processExited')?.['exitCode'], 5);
  assert.equal(events.find(({ kind }) => kind === 'processRefused')?.['processId'], 'nothing');
  const numbers = events.map(({ seq }) => Number(seq));
  assert.deepEqual(
    numbers,
    numbers.toSorted((a, b) => a - b),
  );
  assert.ok(events.every(({ atMs }) => Number(atMs) > 1_600_000_000_000));
});

verifies('observe.journal.wait', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const { nextSeq } = await observer.call('journal/read', { afterSeq: 0, session });
  const afterSeq = Number(nextSeq) - 1;
  const nothing = await observer.call('journal/read', { afterSeq, session, waitMs: 50 });
  assert.deepEqual(nothing['events'], []);
  const waiting = observer.request('journal/read', { afterSeq, session, waitMs: 30_000 });
  await startScript(owner, 'exit 0');
  const { result } = await observer.reply(waiting);
  assert.equal(kindsOf((result as JsonObject)['events'])[0], 'processStarted');
});

verifies('observe.journal.subscribe', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  await observer.call('journal/subscribe', { afterSeq: 0, session });
  const told = () =>
    observer.received.flatMap(({ method, params }) =>
      method === 'journal/events' ? kindsOf(params?.['events']) : [],
    );
  await observer.until(() => (told().includes('sessionOpened') ? true : undefined), 'what was before');
  await untilClosed(owner, await startScript(owner, 'exit 0'));
  await observer.until(() => (told().includes('processGone') ? true : undefined), 'what happens');
  await observer.call('journal/unsubscribe');
  const before = told().length;
  await untilClosed(owner, await startScript(owner, 'exit 0'));
  await observer.call('environment/status');
  assert.equal(told().length, before);
});

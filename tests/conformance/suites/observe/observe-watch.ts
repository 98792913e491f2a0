// Watching a process, and reading its log at random.
import assert from 'node:assert/strict';
import { verifies } from '../../runner/registry.js';
import {
  outputOf,
  shell,
  startParams,
  startScript,
  textOf,
  untilClosed,
  untilOutput,
  writeText,
} from '../process/process-fixture.js';
import { openWatched, untilWatched, untilWatchedText, watchedBy, watchedText } from './observe-fixture.js';

verifies('observe.open.from-the-start', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const before = Date.now();
  const processId = await startScript(owner, 'echo one; read line; echo $line >&2; exit 4', {
    pipeStdin: true,
  });
  await untilOutput(owner, processId, 'one\n');
  const opened = await observer.call('observe/open', { session, processId, watch: 'w' });
  assert.equal(opened['fromSeq'], 1);
  await untilWatchedText(observer, 'w', 'one\n');
  await writeText(owner, processId, 'two\n');
  await untilClosed(owner, processId);
  const ended = await untilWatched(observer, 'w', 'observe/ended');
  assert.equal(ended.params?.['reason'], 'complete');
  const watched = watchedBy(observer, 'w').filter(({ method }) => method !== 'observe/ended');
  const seqs = watched.map(({ params }) => Number(params?.['seq']));
  assert.deepEqual(
    seqs,
    seqs.map((_, index) => index + 1),
  );
  assert.ok(watched.every(({ params }) => Number(params?.['atMs']) >= before));
  assert.equal(watchedText(observer, 'w'), textOf(owner, processId));
  assert.equal(watched.at(-2)?.params?.['exitCode'], 4);
  assert.equal(watched.at(-1)?.method, 'observe/closed');
});

verifies('observe.open.from-seq', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const script = 'echo one; read a; echo two; read b; echo three';
  const processId = await startScript(owner, script, { pipeStdin: true });
  await untilOutput(owner, processId, 'one\n');
  await writeText(owner, processId, '\n');
  await untilOutput(owner, processId, 'two\n');
  const second = outputOf(owner, processId).at(-1)?.seq ?? 0;
  await observer.call('observe/open', { session, processId, watch: 'second', fromSeq: second });
  await observer.call('observe/open', { session, processId, watch: 'new', tailBytes: 0 });
  await untilWatchedText(observer, 'second', 'two\n');
  await writeText(owner, processId, '\n');
  await untilWatched(observer, 'second', 'observe/ended');
  await untilWatched(observer, 'new', 'observe/ended');
  assert.equal(watchedText(observer, 'second'), 'two\nthree\n');
  assert.equal(watchedText(observer, 'new'), 'three\n');
});

verifies('observe.tree.members', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  // The command is gone while its daemon, in a session of its own, lives on.
  const daemon = "setsid sh -c 'echo up; exec >&- 2>&-; sleep 600; true' daemon --token=hunter2 &";
  const processId = await startScript(owner, `${daemon} read go; exit 0`, { pipeStdin: true });
  await untilOutput(owner, processId, 'up\n');
  await writeText(owner, processId, '\n');
  await untilClosed(owner, processId);
  const { known, members } = await observer.call('observe/tree', { session, processId });
  assert.equal(known, true);
  const commands = (members as { argv: string[] }[]).map(({ argv }) => argv.join(' '));
  assert.ok(
    commands.some((command) => command.endsWith('daemon --token=***')),
    commands.join('; '),
  );
});

verifies('observe.open.ack-window', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const bytes = 1_000_000;
  const processId = await startScript(owner, `read go; head -c ${bytes} /dev/zero; echo; echo done`, {
    pipeStdin: true,
  });
  await observer.call('observe/open', { session, processId, watch: 'w', windowBytes: 100_000 });
  await writeText(owner, processId, '\n');
  await untilClosed(owner, processId);
  await observer.call('environment/status');
  const unacknowledged = watchedText(observer, 'w').length;
  assert.ok(unacknowledged <= 100_000, `${unacknowledged} bytes were sent`);
  for (let from = 0; !watchedBy(observer, 'w').some(({ method }) => method === 'observe/ended'); ) {
    const message = await observer.next(
      ({ method, params }) => method !== undefined && params?.['watch'] === 'w',
      'more of the watch',
      { from },
    );
    from = observer.received.indexOf(message) + 1;
    const seq = message.params?.['seq'];
    if (seq !== undefined) observer.notify('observe/ack', { watch: 'w', seq });
  }
  assert.equal(watchedText(observer, 'w').length, bytes + '\ndone\n'.length);
});

verifies('observe.open.gap', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const script = 'echo begin; read go; head -c 20000000 /dev/zero; read again; echo end';
  const processId = await startScript(owner, script, { pipeStdin: true });
  await observer.call('observe/open', { session, processId, watch: 'w', windowBytes: 4096 });
  await untilWatchedText(observer, 'w', 'begin\n');
  await writeText(owner, processId, '\n');
  const total = 20_000_000 + 'begin\n'.length;
  await owner.until(
    () =>
      outputOf(owner, processId).reduce((sum, { chunk }) => sum + Buffer.byteLength(chunk, 'base64'), 0) >=
      total
        ? true
        : undefined,
    'all output at the owner',
    { longer: 3 },
  );
  await writeText(owner, processId, '\n');
  await untilClosed(owner, processId);
  observer.notify('observe/ack', { watch: 'w', seq: 1_000_000 });
  const gap = (await untilWatched(observer, 'w', 'observe/gap')).params;
  assert.equal(gap?.['why'], 'evicted');
  const [fromSeq, toSeq] = [Number(gap['fromSeq']), Number(gap['toSeq'])];
  const missed = outputOf(owner, processId).filter(({ seq }) => seq >= fromSeq && seq <= toSeq);
  assert.equal(
    missed.reduce((sum, { chunk }) => sum + Buffer.byteLength(chunk, 'base64'), 0),
    gap['bytes'],
  );
  assert.equal(missed.length, toSeq - fromSeq + 1);
});

verifies('observe.open.resize', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const processId = 'terminal';
  const io = { type: 'pty', rows: 20, cols: 70 };
  const script = 'stty size; read a; stty size; read b';
  await owner.call('process/start', startParams(processId, shell(script), { tty: true, io }));
  await untilOutput(owner, processId, '20 70');
  const opened = await observer.call('observe/open', { session, processId, watch: 'w' });
  assert.deepEqual({ ...(opened['size'] as object), atMs: 0 }, { seq: 1, atMs: 0, rows: 20, cols: 70 });
  await owner.call('process/resize', { processId, rows: 33, cols: 99 });
  await writeText(owner, processId, '\n');
  await untilOutput(owner, processId, '33 99');
  await untilWatchedText(observer, 'w', '33 99');
  const events = watchedBy(observer, 'w');
  const resized = events.findIndex(({ method }) => method === 'observe/resized');
  const shown = events.findIndex(({ params }) =>
    Buffer.from(String(params?.['chunk'] ?? ''), 'base64').includes('33 99'),
  );
  assert.ok(resized >= 0 && resized < shown, 'the size comes before what is drawn in it');
  assert.deepEqual([events[resized]?.params?.['rows'], events[resized]?.params?.['cols']], [33, 99]);
  const numbers = events.flatMap(({ method, params }) =>
    method === 'observe/output' ? [Number(params?.['seq'])] : [],
  );
  assert.deepEqual(
    numbers,
    numbers.map((_, index) => index + 1),
  );
});

verifies('observe.open.unknown', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const processId = await startScript(owner, 'read go', { pipeStdin: true });
  for (const target of [
    { session: 's-unknown', processId },
    { session, processId: 'unknown' },
  ]) {
    assert.equal((await observer.refusal('observe/open', { ...target, watch: 'x' })).code, -32600);
  }
  await observer.call('observe/open', { session, processId, watch: 'w' });
  assert.equal((await observer.refusal('observe/open', { session, processId, watch: 'w' })).code, -32600);
  await observer.call('observe/close', { watch: 'w' });
  await observer.call('observe/close', { watch: 'w' });
  await observer.call('observe/open', { session, processId, watch: 'w' });
});

verifies('observe.read.random', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const processId = await startScript(owner, 'echo one; echo two >&2; exit 1');
  const last = await untilClosed(owner, processId);
  const all = await observer.call('observe/read', { session, processId });
  assert.deepEqual([all['nextSeq'], all['endSeq'], all['firstSeq']], [last + 1, last + 1, 1]);
  assert.deepEqual([all['exited'], all['exitCode'], all['closed']], [true, 1, true]);
  const chunks = all['chunks'] as { seq: number; atMs: number; chunk: string }[];
  assert.deepEqual(
    chunks.map(({ seq, chunk }) => [seq, chunk]),
    outputOf(owner, processId).map(({ seq, chunk }) => [seq, chunk]),
  );
  const one = await observer.call('observe/read', { session, processId, afterSeq: 0, maxBytes: 1 });
  assert.equal((one['chunks'] as unknown[]).length, 1);
  assert.deepEqual([one['exited'], one['closed']], [false, false]);
  const beyond = await observer.call('observe/read', { session, processId, afterSeq: 10_000 });
  assert.deepEqual([beyond['chunks'], beyond['nextSeq']], [[], last + 1]);
});

verifies('observe.session.ended', async (t) => {
  const { owner, observer, session } = await openWatched(t);
  const processId = await startScript(owner, 'echo started; exec sleep 60');
  await observer.call('observe/open', { session, processId, watch: 'w' });
  await untilOutput(owner, processId, 'started');
  owner.drop();
  const ended = await untilWatched(observer, 'w', 'observe/ended');
  assert.equal(ended.params?.['reason'], 'sessionEnded');
  assert.equal(watchedText(observer, 'w'), 'started\n');
});

// Looking at processes: read, wait, snapshot, list, signal, resize.
import { describe, expect, it } from 'vitest';
import { shell } from './support/raw-client.js';
import { serve } from './support/served-server.js';

interface ReadResult {
  readonly chunks: { seq: number; stream: string; chunk: string }[];
  readonly nextSeq: number;
  readonly exited: boolean;
  readonly exitCode: number | null;
  readonly closed: boolean;
}

const textOf = ({ chunks }: ReadResult) =>
  Buffer.concat(chunks.map(({ chunk }) => Buffer.from(chunk, 'base64'))).toString();
const decode = (value: unknown) => Buffer.from(String(value), 'base64').toString();

describe('process/read', () => {
  it('returns what is there, then what comes, then the end', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    await client.start('p', shell('echo one; sleep 0.3; echo two; exit 3'));
    const read = (params: object) => client.call<ReadResult>('process/read', { processId: 'p', ...params });
    const first = await read({ waitMs: 5000 });
    expect(textOf(first)).toBe('one\n');
    expect(first).toMatchObject({
      nextSeq: 2,
      exited: false,
      exitCode: null,
      closed: false,
      failure: null,
      omitted: null,
    });
    const second = await read({ afterSeq: 1, waitMs: 5000 });
    expect(textOf(second)).toBe('two\n');
    await client.untilClosed('p');
    expect(await read({ afterSeq: 2, waitMs: 5000 })).toMatchObject({
      chunks: [],
      nextSeq: 5,
      exited: true,
      exitCode: 3,
      closed: true,
      sandboxDenied: false,
    });
    expect(textOf(await read({ maxBytes: 0 }))).toBe('one\n');
  });

  it('ends a long poll at its deadline, and no sooner', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    await client.start('p', ['/bin/sleep', '20']);
    const before = performance.now();
    expect(await client.call('process/read', { processId: 'p', waitMs: 200 })).toMatchObject({
      chunks: [],
      nextSeq: 1,
    });
    expect(performance.now() - before).toBeGreaterThan(190);
  });

  it('delays nothing while it waits', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    await client.start('p', ['/bin/sleep', '20']);
    const polls = Array.from({ length: 100 }, () =>
      client.request('process/read', { processId: 'p', waitMs: 600_000 }),
    );
    const waits = Array.from({ length: 100 }, () => client.request('process/wait', { processId: 'p' }));
    const before = performance.now();
    expect((await client.start('q', ['/bin/true'])).error).toBeUndefined();
    await client.untilClosed('q');
    expect(performance.now() - before).toBeLessThan(3000);
    await client.call('process/terminate', { processId: 'p' });
    for (const { result } of await Promise.all([...polls, ...waits]))
      expect(result).toMatchObject({ exited: true, exitCode: 137 });
  });

  it('lets 128 reads of one process wait, and answers older ones early', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    await client.start('p', ['/bin/sleep', '20']);
    const polls = Array.from({ length: 3000 }, () =>
      client.request('process/read', { processId: 'p', waitMs: 600_000 }),
    );
    const early = await Promise.all(polls.slice(0, 2872));
    for (const { result } of early) expect(result).toMatchObject({ chunks: [], exited: false });
    await client.call('process/terminate', { processId: 'p' });
    for (const { result } of await Promise.all(polls.slice(2872)))
      expect(result).toMatchObject({ exited: true });
  });

  it('misses no wake-up when output and polls race', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    await client.start('p', shell('i=0; while [ $i -lt 200 ]; do echo $i; i=$((i+1)); done'));
    let seen = '';
    for (let afterSeq = 0, closed = false; !closed; ) {
      const before = performance.now();
      const result = await client.call<ReadResult>('process/read', {
        processId: 'p',
        afterSeq,
        waitMs: 10_000,
        maxBytes: 20,
      });
      expect(performance.now() - before).toBeLessThan(5000);
      seen += textOf(result);
      closed = result.closed && result.chunks.length === 0;
      afterSeq = result.nextSeq - 1;
    }
    expect(seen).toBe(Array.from({ length: 200 }, (_, i) => `${i}\n`).join(''));
  });
});

describe('process/wait', () => {
  it('ends at the exit, at the close, or when the time is up', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    await client.start('p', shell('(sleep 0.6) & sleep 0.2; exit 4'));
    const wait = (params: object) => client.call('process/wait', { processId: 'p', ...params });
    expect(await wait({ timeoutMs: 10 })).toEqual({
      exited: false,
      exitCode: null,
      closed: false,
      sandboxDenied: false,
      timedOut: true,
    });
    expect(await wait({})).toEqual({
      exited: true,
      exitCode: 4,
      closed: false,
      sandboxDenied: false,
      timedOut: false,
    });
    expect(await wait({ until: 'closed', timeoutMs: 5000 })).toMatchObject({ closed: true, timedOut: false });
    expect((await client.refusal('process/wait', { processId: 'q' })).message).toBe('unknown process id q');
  });
});

describe('process/snapshot and process/list', () => {
  it('show streams apart, the terminal as one, and the state', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    await client.start('p', shell('echo out; echo err >&2; exit 2'));
    await client.start('t', shell('echo out; echo err >&2; sleep 20'), { tty: true, cwd: '/tmp' });
    await client.untilClosed('p');
    await client.until(() => client.bytesOf('t').length >= 10);
    const p = await client.call('process/snapshot', { processId: 'p' });
    expect([decode(p['stdout']), decode(p['stderr']), decode(p['terminal'])]).toEqual(['out\n', 'err\n', '']);
    expect(p).toMatchObject({ truncated: false, omittedBytes: 0, exitCode: 2, running: false });
    const t = await client.call('process/snapshot', { processId: 't' });
    expect(decode(t['terminal'])).toBe('out\r\nerr\r\n');
    expect(t).toMatchObject({ exitCode: null, running: true });
    const { processes } = await client.call<{ processes: object[] }>('process/list', {});
    expect(processes).toMatchObject([
      { processId: 'p', cwd: 'file:///tmp', tty: false, state: 'closed', exitCode: 2 },
      {
        processId: 't',
        cwd: '/tmp',
        tty: true,
        state: 'running',
        exitCode: null,
        argv: shell('echo out; echo err >&2; sleep 20'),
      },
    ]);
  });

  it('keep head and tail of what was too much, and count the middle', async () => {
    const { client: connect } = await serve({
      process: { retainedOutputBytesPerProcess: 100_000, snapshotHeadBytes: 1000 },
    });
    const client = await connect();
    await client.start(
      'p',
      shell('i=0; while [ $i -lt 30000 ]; do echo "line $i xxxxxxxxxxxxxxxxxx"; i=$((i+1)); done'),
    );
    await client.untilClosed('p');
    const sent = client.bytesOf('p').toString();
    const snapshot = await client.call('process/snapshot', { processId: 'p' });
    const shown = decode(snapshot['stdout']);
    expect(shown.slice(0, 1000)).toBe(sent.slice(0, 1000));
    expect(sent.endsWith(shown.slice(1000))).toBe(true);
    expect(snapshot).toMatchObject({ truncated: true, omittedBytes: sent.length - shown.length });
    const read = await client.call<
      ReadResult & { omitted: { fromSeq: number; toSeq: number; bytes: number } }
    >('process/read', { processId: 'p' });
    expect(read.omitted.fromSeq).toBe(1);
    expect(read.omitted.toSeq).toBe((read.chunks[0]?.seq ?? 0) - 1);
    expect(read.omitted.bytes + textOf(read).length).toBe(sent.length);
  });
});

describe('process/signal and process/resize', () => {
  it.each([
    ['interrupt', 'INT', false],
    ['SIGUSR1', 'USR1', false],
    ['SIGTERM', 'TERM', true],
    ['SIGHUP', 'HUP', true],
  ])('%s reaches the command, whose trap runs (pty: %s %s)', async (signal, trap, tty) => {
    const { client: connect } = await serve();
    const client = await connect();
    await client.start(
      'p',
      shell(`trap 'echo trapped; exit 9' ${trap}; echo ready; while :; do sleep 0.05; done`),
      { tty },
    );
    await client.until(() => client.bytesOf('p').includes('ready'));
    expect(await client.call('process/signal', { processId: 'p', signal })).toEqual({});
    await client.untilExited('p');
    await client.untilClosed('p');
    expect(client.bytesOf('p').toString()).toContain('trapped');
    expect(client.eventsOf('p').find(({ exitCode }) => exitCode !== undefined)?.exitCode).toBe(9);
    expect(await client.call('process/signal', { processId: 'p', signal })).toEqual({});
  });

  it('ignores a process it does not know, and refuses a signal it does not know', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    expect(await client.call('process/signal', { processId: 'nobody', signal: 'interrupt' })).toEqual({});
    expect((await client.refusal('process/signal', { processId: 'p', signal: 'SIGNOPE' })).code).toBe(-32602);
  });

  it('resizes a terminal, even before it runs', async () => {
    const { client: connect } = await serve();
    const client = await connect();
    const started = client.start(
      'p',
      shell('trap "stty size; exit" WINCH; echo ready; while :; do sleep 0.05; done'),
      { tty: true },
    );
    await started;
    await client.until(() => client.bytesOf('p').includes('ready'));
    expect(await client.call('process/resize', { processId: 'p', rows: 40, cols: 120 })).toEqual({});
    await client.untilClosed('p');
    expect(client.bytesOf('p').toString()).toContain('40 120');
    const pipelined = [
      client.start('q', shell('sleep 0.3; stty size'), { tty: true }),
      client.request('process/resize', { processId: 'q', rows: 7, cols: 8 }),
    ];
    await Promise.all(pipelined);
    await client.untilClosed('q');
    expect(client.bytesOf('q').toString()).toBe('7 8\r\n');
  });
});

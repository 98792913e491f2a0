import type { MadeLater } from '@codex/launcher';
import { describe, expect, it } from 'vitest';
import { settle } from '../../test-support/manual-clock.js';
import { requestOf, setUpTable } from '../../test-support/scripted-table.js';
import type { TerminateMode } from './end/termination.js';
import { readProcess } from './read/read-process.js';
import type { ProcessSandbox } from './start/sandbox/process-sandbox.js';
import { startProcess } from './start/start-process.js';

const never = new AbortController().signal;

describe('a process of a session', () => {
  it('goes through its states, and its tree counts as long as it lives', async () => {
    const { launcher, host, start, peer } = setUpTable();
    const process = await start('p');
    expect([process.state, host.liveProcesses, process.pid]).toEqual(['running', 1, 1000]);
    expect(peer.sent).toEqual([{ method: 'process/started', params: { processId: 'p', pid: 1000 } }]);
    launcher.last.exit({ code: 3 });
    await settle();
    expect([process.state, process.exit]).toEqual(['exited', { exitCode: 3, sandboxDenied: false }]);
    for (const output of launcher.last.outputs) output.end();
    await settle();
    expect([process.state, host.liveProcesses]).toEqual(['closed', 1]);
    launcher.last.vanish();
    await settle();
    expect(host.liveProcesses).toBe(0);
    expect(peer.pull()).toEqual(['exited 1 3', 'closed 2']);
  });

  it('is acted upon in order by requests that come while it starts', async () => {
    const { launcher, table } = setUpTable();
    launcher.isSlow = true;
    const starting = startProcess(table, requestOf('p'));
    const process = table.get('p');
    const write = process?.write(Buffer.from('in'), 'w');
    const resized = table.act(
      'p',
      (p) => p.resize(5, 6),
      () => undefined,
    );
    const signalled = table.act(
      'p',
      (p) => p.signal('SIGUSR1'),
      () => undefined,
    );
    expect(process?.terminate({ type: 'force' })).toBe(true);
    launcher.let();
    await Promise.all([starting, resized, signalled]);
    expect(await write).toBe('accepted');
    expect(launcher.last.done).toEqual(['kill', 'resize 5x6', 'SIGUSR1 group']);
  });

  it('is ended by the sooner of the ends asked for while it starts', async () => {
    const force = { type: 'force' } as const;
    const graceful = (timeoutMs: number) => ({ type: 'graceful', timeoutMs }) as const;
    const endedBy = async (...modes: TerminateMode[]) => {
      const { clock, launcher, table } = setUpTable();
      launcher.isSlow = true;
      const starting = startProcess(table, requestOf('p'));
      for (const mode of modes) expect(table.get('p')?.terminate(mode)).toBe(true);
      launcher.let();
      await starting;
      const atOnce = [...launcher.last.done];
      await clock.advance(500);
      return [atOnce, launcher.last.done.at(-1)];
    };
    expect(await endedBy(force, graceful(9000))).toEqual([['kill'], 'kill']);
    expect(await endedBy(graceful(9000), force)).toEqual([['kill'], 'kill']);
    expect(await endedBy(graceful(500), graceful(9000))).toEqual([['SIGTERM group'], 'kill']);
    expect(await endedBy(graceful(9000), graceful(500))).toEqual([['SIGTERM group'], 'kill']);
  });

  it('frees its id when it cannot start, before anybody who waited for it acts', async () => {
    const { launcher, table, host } = setUpTable();
    launcher.isSlow = true;
    launcher.failure = new Error('no');
    const first = startProcess(table, requestOf('p'));
    const second = startProcess(table, requestOf('p'));
    const asked = table.act(
      'p',
      () => 'there',
      () => 'not there',
    );
    launcher.let();
    await expect(first).rejects.toMatchObject({ code: -32603 });
    expect(await asked).toBe('not there');
    launcher.failure = undefined;
    await settle();
    launcher.let();
    expect((await second).process.id).toBe('p');
    expect(host.liveProcesses).toBe(1);
  });

  it('does not run when its session ended first', async () => {
    const { launcher, table, host } = setUpTable({ maxConcurrentLaunches: 1 });
    launcher.isSlow = true;
    const underWay = startProcess(table, requestOf('p'));
    const inLine = startProcess(table, requestOf('q'));
    const refusals = Promise.allSettled([underWay, inLine]);
    const ended = table.end();
    launcher.let();
    await settle();
    expect(await refusals).toMatchObject([
      { reason: { message: 'process p start was cancelled' } },
      { reason: { message: 'process q start was cancelled' } },
    ]);
    expect(launcher.launched.map(({ done }) => done)).toEqual([['kill']]);
    launcher.last.finish();
    await ended;
    await settle();
    expect(host.liveProcesses).toBe(0);
  });

  it('does not run either when its session ended while its sandbox was planned, which is then not planned again', async () => {
    let plan = (): void => undefined;
    const steps: string[] = [];
    const prepare: ProcessSandbox['prepare'] = async ({ spec }) => {
      steps.push('prepared');
      const make = () =>
        new Promise<MadeLater>((resolve) => {
          plan = () => resolve({ bytes: new Uint8Array(0) });
        });
      return {
        spec: { ...spec, inheritFds: [{ make, as: 3, gate: 4 }] },
        sandboxType: 'linuxSeccomp',
        isAhead: true,
        finish: async () => void steps.push('undone'),
      };
    };
    const { launcher, table, host } = setUpTable(
      {},
      { prepare, judgeForeign: () => () => ({ denied: false }) },
    );
    const start = startProcess(table, requestOf('p', { sandbox: {} }));
    await settle();
    const ended = table.end();
    plan();
    await expect(start).rejects.toThrow('process p start was cancelled');
    await ended;
    expect([launcher.launched, steps, host.liveProcesses]).toEqual([[], ['prepared', 'undone'], 0]);
  });

  it('that is lost says so, and still ends for those who wait', async () => {
    const { launcher, start, peer } = setUpTable();
    const process = await start('p');
    launcher.last.lose(new Error('supervisor broke'));
    for (const output of launcher.last.outputs) output.end();
    await settle();
    expect(process.failure).toContain('supervisor broke');
    expect(peer.sent.at(-1)).toMatchObject({ method: 'process/failed', params: { processId: 'p' } });
    expect(peer.pull()).toEqual(['exited 1 -1', 'closed 2']);
    expect(
      await readProcess(process, { afterSeq: 0, maxBytes: null, waitMs: 0, signal: never }),
    ).toMatchObject({
      failure: process.failure,
      exited: true,
      closed: true,
    });
  });

  it('kills what is left when a graceful end takes too long, and forgets the deadline when nothing is', async () => {
    const { clock, launcher, start } = setUpTable();
    const deaf = await start('deaf');
    deaf.terminate({ type: 'graceful', timeoutMs: 500 });
    deaf.terminate({ type: 'graceful', timeoutMs: 9000 });
    await clock.advance(499);
    expect(launcher.last.done).toEqual(['SIGTERM group', 'SIGTERM group']);
    await clock.advance(1);
    expect(launcher.last.done.at(-1)).toBe('kill');
    const polite = await start('polite');
    polite.terminate({ type: 'graceful', timeoutMs: 500 });
    launcher.last.finish();
    await settle();
    await clock.advance(10_000);
    expect(launcher.last.done).toEqual(['SIGTERM group']);
    expect(polite.terminate({ type: 'force' })).toBe(false);
  });
});

describe('the processes of a session', () => {
  it('are bounded as well when they have ended and their client does not take what they said', async () => {
    const { launcher, start, peer, table } = setUpTable({
      maxProcessesPerSession: 2,
      maxRetainedProcessesPerSession: 3,
    });
    for (let i = 0; i < 5; i++) {
      await start(`p${i}`);
      launcher.last.finish();
      await settle();
    }
    await expect(start('more')).rejects.toMatchObject({
      code: -32600,
      message:
        'too many processes: this session keeps 5 that run or have ended, its limit ' +
        '(maxProcessesPerSession + maxRetainedProcessesPerSession); take the output of those that have ended and try again',
    });
    expect(launcher.launched.length).toBe(5);
    peer.pull();
    await settle();
    expect(table.list().map(({ id }) => id)).toEqual(['p2', 'p3', 'p4']);
    expect((await start('more')).state).toBe('running');
  });

  it('end the input of background children when nobody can name their process any more', async () => {
    const { clock, launcher, start, peer } = setUpTable({ exitedProcessRetentionMs: 100 });
    await start('p');
    launcher.last.exit({ code: 0 });
    for (const output of launcher.last.outputs) output.end();
    await settle();
    peer.pull();
    await settle();
    expect(launcher.last.input?.isEnded).toBe(false);
    await clock.advance(100);
    expect(launcher.last.input?.isEnded).toBe(true);
  });

  it('keep of an ended one what can still be asked for, and nothing of its pipes and environment', async () => {
    const { launcher, start } = setUpTable();
    const long = 'x'.repeat(100_000);
    const process = await start('p', {
      argv: ['a', long],
      env: { BIG: 'y' },
      metadata: { threadId: long, toolCallId: 'call' },
    });
    launcher.last.finish(3);
    await settle();
    const { argv, env } = process.request;
    expect(JSON.stringify(process.request).length).toBeLessThan(4000);
    expect(process.request.metadata).toMatchObject({ toolCallId: 'call' });
    expect([process.state, process.pid, process.exit?.exitCode]).toEqual(['closed', 1000, 3]);
    expect([JSON.stringify(argv).length < 2000, argv[0], env]).toEqual([true, 'a', {}]);
  });
});

describe('a client that comes back', () => {
  it('lets a process run on, and counts what it loses, when it comes after the window', async () => {
    const { clock, launcher, table, start } = setUpTable({
      retainedOutputBytesPerProcess: 1000,
      detachedStallMs: 30_000,
    });
    const process = await start('p');
    table.detach();
    launcher.last.say('x'.repeat(2000));
    expect(launcher.last.outputs[0]?.isPaused).toBe(true);
    await clock.advance(29_999);
    expect(launcher.last.outputs[0]?.isPaused).toBe(true);
    await clock.advance(1);
    expect(launcher.last.outputs[0]?.isPaused).toBe(false);
    launcher.last.say('y'.repeat(700), 1);
    const outcome = await readProcess(process, { afterSeq: 0, maxBytes: null, waitMs: 0, signal: never });
    expect(outcome.omitted).toEqual({ fromSeq: 1, toSeq: 1, bytes: 2000 });
  });
});

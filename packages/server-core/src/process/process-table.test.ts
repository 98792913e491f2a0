import { describe, expect, it } from 'vitest';
import { ManualClock, settle } from '../../test-support/manual-clock.js';
import { RecordingPeer } from '../../test-support/recording-peer.js';
import { ScriptedLauncher } from '../../test-support/scripted-launcher.js';
import { silentLogger } from '../logger.js';
import { ProcessHost } from './process-host.js';
import { DEFAULT_PROCESS_LIMITS, type ProcessLimits } from './process-limits.js';
import type { ProcessSandbox } from './process-sandbox.js';
import { ProcessTable } from './process-table.js';
import { readProcess } from './read-process.js';
import { startProcess } from './start-process.js';
import type { StartRequest } from './start-request.js';

function setUp(limits: Partial<ProcessLimits> = {}, sandbox?: ProcessSandbox) {
  const clock = new ManualClock();
  const launcher = new ScriptedLauncher();
  const process = { ...DEFAULT_PROCESS_LIMITS, ...limits };
  const host = new ProcessHost({
    process,
    clock,
    logger: silentLogger,
    launcher,
    ...(sandbox && { sandbox }),
  });
  const table = new ProcessTable(host);
  const peer = new RecordingPeer();
  table.attach({ peer: peer.asPeer, lifecycleNotifications: true });
  const start = async (processId: string, more: Partial<StartRequest> = {}) => {
    const started = await startProcess(table, requestOf(processId, more));
    table.announce(started.process);
    return started.process;
  };
  return { clock, launcher, host, table, peer, start };
}

function requestOf(processId: string, more: Partial<StartRequest> = {}): StartRequest {
  const io = { type: 'pipe', stdin: 'open' } as const;
  return {
    processId,
    argv: ['a'],
    cwd: '/',
    cwdText: '/',
    env: {},
    io,
    sandbox: null,
    preparedSandbox: 'none',
    ...more,
  };
}

const never = new AbortController().signal;

describe('a process of a session', () => {
  it('goes through its states, and its tree counts as long as it lives', async () => {
    const { launcher, host, start, peer } = setUp();
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
    const { launcher, table } = setUp();
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

  it('frees its id when it cannot start, before anybody who waited for it acts', async () => {
    const { launcher, table, host } = setUp();
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
    const { launcher, table, host } = setUp({ maxConcurrentLaunches: 1 });
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

  it('that is lost says so, and still ends for those who wait', async () => {
    const { launcher, start, peer } = setUp();
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
    const { clock, launcher, start } = setUp();
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

describe('a sandboxed process', () => {
  const sandboxed = (verdict: boolean): ProcessSandbox => ({
    prepare: async ({ spec }) => ({
      spec: { ...spec, argv: ['bwrap', ...spec.argv] },
      sandboxType: 'linuxSeccomp',
      signalScope: 'descendants',
      classifyExit: ({ exitCode, output }) => judge(verdict && exitCode === 1, output()),
    }),
    judgeForeign:
      () =>
      ({ output }) =>
        judge(verdict, output()),
  });

  const judge = (verdict: boolean, output: Uint8Array) =>
    output.length === 0
      ? { denied: false, failure: 'the sandbox did not start' }
      : { denied: verdict && Buffer.from(output).includes('denied') };

  it('is refused without a sandbox, and wrapped with one', async () => {
    const bare = setUp();
    await expect(bare.start('p', { sandbox: {} })).rejects.toMatchObject({
      code: -32602,
      message: 'sandbox intent cannot be enforced on this executor',
    });
    expect(bare.launcher.specs).toEqual([]);
    const { launcher, table } = setUp({}, sandboxed(true));
    const started = await startProcess(table, requestOf('p', { sandbox: {} }));
    expect(started.sandboxType).toBe('linuxSeccomp');
    expect(launcher.specs[0]?.argv).toEqual(['bwrap', 'a']);
    started.process.signal('SIGINT');
    expect(launcher.last.done).toEqual(['SIGINT descendants']);
  });

  it('has its failure judged with the output that comes within 20 ms', async () => {
    const { clock, launcher, start } = setUp({}, sandboxed(true));
    const process = await start('p', { sandbox: {} });
    launcher.last.exit({ code: 1 });
    await settle();
    expect(process.exit).toBeUndefined();
    launcher.last.say('permission denied');
    await clock.advance(20);
    expect(process.exit).toEqual({ exitCode: 1, sandboxDenied: true });
  });

  it('says so when the sandbox itself failed, which is no denial', async () => {
    const { launcher, start } = setUp({}, sandboxed(true));
    const process = await start('p', { sandbox: {} });
    launcher.last.finish(1);
    await settle();
    expect(process.exit).toMatchObject({ exitCode: 1, sandboxDenied: false });
    expect(process.failure).toBe('the sandbox did not start');
  });

  it('does not wait when it succeeded, or when its output has ended', async () => {
    const { launcher, start } = setUp({}, sandboxed(false));
    const fine = await start('fine', { sandbox: {} });
    launcher.last.exit({ code: 0 });
    await settle();
    expect(fine.exit).toEqual({ exitCode: 0, sandboxDenied: false });
    const failed = await start('failed', { sandbox: {} });
    launcher.last.say('no such file');
    launcher.last.finish(1);
    await settle();
    expect(failed.exit).toEqual({ exitCode: 1, sandboxDenied: false });
  });
});

describe('a client that comes back', () => {
  it('is sent each process from where it has read, or after a while from where it was', async () => {
    const { clock, launcher, table, peer, start } = setUp();
    const [read, unread] = [await start('read'), await start('unread')];
    for (const process of launcher.launched) process.say('one');
    peer.pull();
    table.detach();
    for (const process of launcher.launched) process.say('two');
    const back = new RecordingPeer();
    table.attach({ peer: back.asPeer, lifecycleNotifications: false });
    await clock.advance(900);
    expect(back.pull()).toEqual([]);
    expect(table.isRecovering(read)).toBe(true);
    table.recovered(read, 2);
    expect(table.isRecovering(read)).toBe(false);
    expect(back.pull()).toEqual(['output 2 two']);
    await clock.advance(900);
    expect(back.pull()).toEqual([]);
    await clock.advance(100);
    expect(back.pull()).toEqual(['output 2 two']);
    expect(table.isRecovering(unread)).toBe(false);
  });

  it('finds what ended meanwhile, and only then does its retention begin', async () => {
    const { clock, launcher, table, start } = setUp({ exitedProcessRetentionMs: 100 });
    await start('p');
    table.detach();
    launcher.last.finish();
    await settle();
    await clock.advance(10_000);
    expect(table.get('p')?.state).toBe('closed');
    const back = new RecordingPeer();
    table.attach({ peer: back.asPeer, lifecycleNotifications: false });
    await clock.advance(1000);
    expect(back.pull()).toEqual(['exited 1 0', 'closed 2']);
    await settle();
    await clock.advance(99);
    expect(table.get('p')).toBeDefined();
    await clock.advance(1);
    expect(table.get('p')).toBeUndefined();
  });

  it('lets a process run on, and counts what it loses, when it comes after the window', async () => {
    const { clock, launcher, table, start } = setUp({
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

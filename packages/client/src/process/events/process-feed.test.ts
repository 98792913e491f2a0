import { describe, expect, it } from 'vitest';
import { settle } from '../../../test-support/manual-clock.js';
import { NOTHING_NEW, ScriptedFeed } from '../../../test-support/scripted-feed.js';
import { ExecServerError } from '../../exec-server-error.js';
import { ProcessOutputView } from '../output/output-view.js';
import { readEvents } from './event-iteration.js';

async function isSettled(scripted: ScriptedFeed): Promise<boolean> {
  await settle();
  return scripted.feed.isSettled;
}

describe('a process feed', () => {
  it('settles at the close', async () => {
    const scripted = new ScriptedFeed();
    scripted.output('x');
    scripted.exit(0);
    expect(await isSettled(scripted)).toBe(false);
    scripted.close();
    expect(await isSettled(scripted)).toBe(true);
    expect(scripted.feed.outcome).toEqual({ kind: 'exited', exitCode: 0 });
    expect(scripted.feed.pipesHeldOpen).toBe(false);
    expect(scripted.clock.pending).toBe(0);
  });

  it.each([1e300, 0.5, 2 ** 31, '1', Number.NaN])('is lost to an exit code of %j', async (exitCode) => {
    const pushed = new ScriptedFeed();
    pushed.exit(exitCode as number);
    expect(pushed.feed.outcome).toMatchObject({ kind: 'lost', error: { code: 'protocol.violation' } });
    const read = new ScriptedFeed({
      read: () => ({ ...NOTHING_NEW, exited: true, exitCode: exitCode as number, nextSeq: 2 }),
    });
    await read.feed.repair();
    expect(read.feed.outcome).toMatchObject({ kind: 'lost', error: { code: 'protocol.violation' } });
  });

  it('is lost when the server sends more and more, and never what comes before it', () => {
    const scripted = new ScriptedFeed({ read: () => new Promise(() => undefined) });
    const mebibytes = new Uint8Array(32 * 1024 * 1024);
    for (let seq = 2; seq < 11; seq++) scripted.output(mebibytes, 'stdout', seq);
    expect(scripted.feed.outcome).toMatchObject({ kind: 'lost', error: { code: 'protocol.violation' } });
  });

  it('asks the server before it calls the output held open', async () => {
    const scripted = new ScriptedFeed();
    scripted.exit(0);
    await scripted.clock.advance(49);
    expect(scripted.reads).toEqual([]);
    await scripted.clock.advance(1);
    expect(scripted.reads).toEqual([1]);
    expect(await isSettled(scripted)).toBe(true);
    expect(scripted.feed.pipesHeldOpen).toBe(true);
  });

  it('waits on while the answer brings more, and not for ever', async () => {
    let chatty = true;
    const scripted = new ScriptedFeed({
      read: (afterSeq) => {
        if (!chatty) return { ...NOTHING_NEW, nextSeq: afterSeq + 1 };
        chatty = false;
        return {
          ...NOTHING_NEW,
          exited: true,
          exitCode: 0,
          chunks: [{ seq: afterSeq + 1, stream: 'stdout', chunk: 'eA==' }],
          nextSeq: afterSeq + 2,
        };
      },
    });
    scripted.exit(0);
    await scripted.clock.advance(50);
    expect(await isSettled(scripted)).toBe(false);
    await scripted.clock.advance(50);
    expect(await isSettled(scripted)).toBe(true);
    expect(scripted.feed.stdout.snapshot().text).toBe('x');
    const endless = new ScriptedFeed();
    endless.exit(0);
    for (let elapsed = 0; elapsed < 2100; elapsed += 20) {
      endless.output('.');
      await endless.clock.advance(20);
    }
    expect(await isSettled(endless)).toBe(true);
  });

  it('follows the output until it closes when it is told to', async () => {
    const scripted = new ScriptedFeed({ drain: { until: 'closed' } });
    scripted.exit(0);
    await scripted.clock.advance(100_000);
    expect(await isSettled(scripted)).toBe(false);
    scripted.close();
    expect(await isSettled(scripted)).toBe(true);
  });

  it('takes a denial only when the server says so; an older one says nothing', () => {
    const silent = new ScriptedFeed();
    silent.exit(1);
    expect(silent.feed.outcome).toEqual({ kind: 'exited', exitCode: 1 });
    const denied = new ScriptedFeed();
    denied.feed.sandboxType = 'linuxSeccomp';
    denied.exit(1, true);
    expect(denied.feed.outcome).toEqual({
      kind: 'denied',
      exitCode: 1,
      denial: { sandboxType: 'linuxSeccomp' },
    });
  });

  it('shows what the server saw of a denial, pushed or read', async () => {
    const denial = { reason: 'read_only_file_system', line: 'touch: /x: Read-only', path: '/x' } as const;
    const pushed = new ScriptedFeed();
    const exit = { processId: 'p', seq: 1, exitCode: 1, sandboxDenied: true, denial };
    pushed.feed.notification('process/exited', exit);
    expect(pushed.feed.outcome).toMatchObject({ kind: 'denied', denial });
    const missed = new ScriptedFeed({
      read: () => ({ ...NOTHING_NEW, nextSeq: 2, exited: true, exitCode: 1, sandboxDenied: true, denial }),
    });
    missed.feed.launched();
    await missed.feed.repair();
    expect(missed.feed.outcome).toMatchObject({ kind: 'denied', denial });
  });

  it('shows that the server had to stop it, pushed or read', async () => {
    const stopped = { reason: 'protection_lost', path: '/ws/.git/config' } as const;
    const outcome = { kind: 'exited', exitCode: 137, signal: 'SIGKILL', stopped };
    const pushed = new ScriptedFeed();
    pushed.feed.notification('process/exited', { processId: 'p', seq: 1, exitCode: 137, stopped });
    expect(pushed.feed.outcome).toEqual(outcome);
    const missed = new ScriptedFeed({
      read: () => ({ ...NOTHING_NEW, nextSeq: 2, exited: true, exitCode: 137, stopped }),
    });
    missed.feed.launched();
    await missed.feed.repair();
    expect(missed.feed.outcome).toEqual(outcome);
  });

  it('reads what was missed after a reconnect and says so in order', async () => {
    const scripted = new ScriptedFeed({
      read: (afterSeq) =>
        afterSeq === 1
          ? {
              ...NOTHING_NEW,
              chunks: [{ seq: 2, stream: 'stderr', chunk: 'Yg==' }],
              nextSeq: 3,
            }
          : { ...NOTHING_NEW, nextSeq: 5, exited: true, exitCode: 9, closed: true },
    });
    scripted.output('a');
    scripted.feed.reconnecting();
    scripted.feed.reconnected();
    await settle();
    const types: string[] = [];
    for await (const { type } of readEvents(scripted.feed, {})) types.push(type);
    expect(types).toEqual(['output', 'reconnecting', 'output', 'exited', 'closed', 'reconnected']);
    expect(scripted.reads).toEqual([1, 2]);
    expect(scripted.feed.outcome).toEqual({ kind: 'exited', exitCode: 9 });
  });

  it('repairs a hole that stays open', async () => {
    const scripted = new ScriptedFeed({
      read: () => ({ ...NOTHING_NEW, chunks: [{ seq: 1, stream: 'stdout', chunk: 'YQ==' }], nextSeq: 2 }),
    });
    for (let seq = 2; seq < 1100; seq++) scripted.output('b', 'stdout', seq);
    await settle();
    expect(scripted.reads[0]).toBe(0);
    expect(scripted.feed.stdout.totalBytes).toBe(1099);
  });

  it('is lost when the server forgets it, and readers are told', async () => {
    const scripted = new ScriptedFeed();
    scripted.output('a');
    const error = new ExecServerError('process.unknown', 'gone', { details: { processId: 'p' } });
    const view = new ProcessOutputView(scripted.feed, () => true);
    const reading = (async () => {
      const seen: string[] = [];
      for await (const text of view) seen.push(text);
      return seen;
    })().catch((failure: unknown) => failure);
    await settle();
    scripted.feed.fail(error);
    expect(await reading).toBe(error);
    expect(scripted.feed.outcome).toEqual({ kind: 'lost', exitCode: null, error });
    expect(await isSettled(scripted)).toBe(true);
  });

  it('is lost when it sends nonsense', () => {
    const scripted = new ScriptedFeed();
    scripted.feed.notification('process/output', { processId: 'p', seq: 1, stream: 'stdout', chunk: '!' });
    expect(scripted.feed.lost?.code).toBe('protocol.violation');
  });

  it('gives a slow reader a counted gap, as an error or as it asks', async () => {
    const scripted = new ScriptedFeed({ bufferBytes: 10 });
    for (const text of ['aaaaa', 'bbbbb', 'ccccc', 'ddddd']) scripted.output(text);
    scripted.exit(0);
    scripted.close();
    const view = new ProcessOutputView(scripted.feed, () => true);
    const failure = await view
      .text()
      .next()
      .catch((error: unknown) => error);
    if (!ExecServerError.is(failure, 'process.outputGap')) throw failure;
    expect(failure.details.gap).toEqual({ fromSeq: 1, toSeq: 2, bytes: 10, why: 'clientBudget' });
    const gaps: unknown[] = [];
    const seen: string[] = [];
    for await (const text of view.text({ onGap: (gap) => gaps.push(gap) })) seen.push(text);
    expect(seen).toEqual(['ccccc', 'ddddd']);
    expect(gaps).toHaveLength(1);
    expect(scripted.feed.stdout.snapshot().text).toBe('aaaaabbbbbcccccddddd');
  });
});

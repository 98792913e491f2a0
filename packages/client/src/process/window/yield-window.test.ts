import { describe, expect, it } from 'vitest';
import { settle } from '../../../test-support/manual-clock.js';
import { ScriptedFeed } from '../../../test-support/scripted-feed.js';
import { PauseHolds } from './pause-gate.js';
import { collectWindow, type YieldResult, type YieldWindow } from './yield-window.js';

function open(scripted: ScriptedFeed, window: YieldWindow) {
  const state: { result?: YieldResult } = {};
  const reader = scripted.feed.log.reader();
  void collectWindow(scripted.feed, reader, window).then((result) => {
    state.result = result;
  });
  return state;
}

describe('a yield window', () => {
  it('ends at its deadline with what came, not before', async () => {
    const scripted = new ScriptedFeed();
    const window = open(scripted, { ms: 1000 });
    scripted.output('a');
    await scripted.clock.advance(999);
    scripted.output('b');
    expect(window.result).toBeUndefined();
    await scripted.clock.advance(1);
    expect(window.result).toMatchObject({ state: 'running', endedBy: 'deadline', wallMs: 1000, pausedMs: 0 });
    expect(window.result?.output.text).toBe('ab');
    expect(scripted.clock.pending).toBe(0);
  });

  it('ends early when the output closes', async () => {
    const scripted = new ScriptedFeed();
    const window = open(scripted, { ms: 10_000 });
    await scripted.clock.advance(200);
    scripted.output('done');
    scripted.exit(3);
    scripted.close();
    await settle();
    expect(window.result).toMatchObject({
      state: 'finished',
      endedBy: 'exit',
      outcome: { kind: 'exited', exitCode: 3 },
      wallMs: 200,
      pipesHeldOpen: false,
    });
    expect(window.result?.output.text).toBe('done');
  });

  it('drains after the exit for 50 ms that output does not extend', async () => {
    const scripted = new ScriptedFeed();
    const window = open(scripted, { ms: 10_000 });
    scripted.exit(0);
    await scripted.clock.advance(40);
    scripted.output('late');
    expect(window.result).toBeUndefined();
    await scripted.clock.advance(10);
    expect(window.result).toMatchObject({ state: 'finished', wallMs: 50, pipesHeldOpen: true });
    expect(window.result?.output.text).toBe('late');
  });

  it('drains no longer than its deadline, and as long as it is told', async () => {
    const short = new ScriptedFeed();
    const window = open(short, { ms: 30 });
    short.exit(0);
    await short.clock.advance(30);
    expect(window.result).toMatchObject({ state: 'finished', wallMs: 30 });
    const long = new ScriptedFeed({ drain: { until: 'closed' } });
    const patient = open(long, { ms: 10_000, drainMs: 500 });
    long.exit(0);
    await long.clock.advance(499);
    expect(patient.result).toBeUndefined();
    await long.clock.advance(1);
    expect(patient.result?.state).toBe('finished');
  });

  it('ends where a pattern is found, also across chunks', async () => {
    const scripted = new ScriptedFeed();
    const window = open(scripted, { ms: 10_000, until: /pass\w+:/ });
    scripted.output('enter pass');
    await settle();
    expect(window.result).toBeUndefined();
    scripted.output('word: ');
    await settle();
    expect(window.result).toMatchObject({ state: 'running', endedBy: 'until' });
    expect(window.result?.match?.[0]).toBe('password:');
  });

  it('ends after a silence, which output interrupts', async () => {
    const scripted = new ScriptedFeed();
    const window = open(scripted, { ms: 10_000, idleMs: 100 });
    await scripted.clock.advance(90);
    scripted.output('x');
    await scripted.clock.advance(90);
    expect(window.result).toBeUndefined();
    await scripted.clock.advance(10);
    expect(window.result).toMatchObject({ endedBy: 'idle', wallMs: 190 });
  });

  it('does not count time while it is paused, and still collects', async () => {
    const scripted = new ScriptedFeed();
    const pause = new PauseHolds();
    const window = open(scripted, { ms: 1000, pause });
    await scripted.clock.advance(400);
    const release = pause.hold();
    const other = pause.hold();
    await scripted.clock.advance(60_000);
    scripted.output('meanwhile');
    release();
    release();
    expect(pause.paused).toBe(true);
    other();
    await scripted.clock.advance(599);
    expect(window.result).toBeUndefined();
    await scripted.clock.advance(1);
    expect(window.result).toMatchObject({ endedBy: 'deadline', wallMs: 61_000, pausedMs: 60_000 });
    expect(window.result?.output.text).toBe('meanwhile');
  });

  it('moves the drain by a pause as well, and starts paused when the gate is closed', async () => {
    const scripted = new ScriptedFeed({ drain: { until: 'closed' } });
    const pause = new PauseHolds();
    const release = pause.hold();
    const window = open(scripted, { ms: 1000, pause });
    await scripted.clock.advance(5000);
    release();
    scripted.exit(0);
    await scripted.clock.advance(30);
    const again = pause.hold();
    await scripted.clock.advance(5000);
    again();
    await scripted.clock.advance(19);
    expect(window.result).toBeUndefined();
    await scripted.clock.advance(1);
    expect(window.result).toMatchObject({ state: 'finished', pausedMs: 10_000 });
  });

  it('ends at once when the process closes while paused', async () => {
    const scripted = new ScriptedFeed();
    const pause = new PauseHolds();
    pause.hold();
    const window = open(scripted, { ms: 1000, pause });
    scripted.exit(0);
    scripted.close();
    await settle();
    expect(window.result?.state).toBe('finished');
  });

  it('ends when its caller aborts, and the process runs on', async () => {
    const scripted = new ScriptedFeed();
    const abort = new AbortController();
    const window = open(scripted, { ms: 1000, signal: abort.signal });
    abort.abort();
    await settle();
    expect(window.result).toMatchObject({ state: 'running', endedBy: 'abort' });
    expect(scripted.feed.isRunning).toBe(true);
  });

  it('keeps beginning and end of too much output', async () => {
    const scripted = new ScriptedFeed();
    const window = open(scripted, { ms: 10, maxBytes: 4 });
    scripted.output('abcdefgh');
    await scripted.clock.advance(10);
    expect(window.result?.output).toMatchObject({ totalBytes: 8, omittedBytes: 4 });
  });
});

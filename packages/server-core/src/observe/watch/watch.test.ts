import { materialize } from '@codex/exec-protocol';
import { describe, expect, it } from 'vitest';
import { RecordingPeer } from '../../../test-support/recording-peer.js';
import { setUpTable } from '../../../test-support/scripted-table.js';
import type { ManagedProcess } from '../../process/managed-process.js';
import type { ProcessLimits } from '../../process/process-limits.js';
import { Watch, type WatchOptions } from './watch.js';

async function setUp(limits: Partial<ProcessLimits> = {}) {
  const parts = setUpTable(limits);
  const process = await parts.start('p');
  const child = parts.launcher.last;
  const open = (more: Partial<WatchOptions> = {}) => watchOf(process, parts.clock, more);
  return { ...parts, process, child, open };
}

function watchOf(process: ManagedProcess, clock: WatchOptions['clock'], more: Partial<WatchOptions>) {
  const observer = new RecordingPeer();
  const ended: Watch[] = [];
  const watch = new Watch({
    name: 'w',
    process,
    peer: observer.asPeer,
    clock,
    fromSeq: 1,
    mode: 'complete',
    windowBytes: 1024 * 1024,
    onEnd: (one) => ended.push(one),
    ...more,
  });
  watch.start();
  const pull = (): string[] => {
    const lines: string[] = [];
    for (const source of [...observer.sources]) {
      for (let message = source.next(); message !== undefined; message = source.next()) {
        lines.push(describeMessage(materialize(message)));
      }
    }
    return lines;
  };
  return { watch, observer, pull, ended };
}

function describeMessage(text: string): string {
  const { method, params } = JSON.parse(text) as { method: string; params: Record<string, unknown> };
  const { seq, chunk, exitCode, fromSeq, toSeq, bytes, why, reason, rows } = params;
  const body = typeof chunk === 'string' ? Buffer.from(chunk, 'base64').toString() : undefined;
  const gap =
    fromSeq === undefined ? undefined : `${String(fromSeq)}-${String(toSeq)} ${String(bytes)} ${String(why)}`;
  return [method.slice('observe/'.length), seq, body?.slice(0, 9), exitCode, gap, reason, rows]
    .filter((part) => part !== undefined)
    .join(' ');
}

describe('a watch', () => {
  it('tells everything from the event that was asked for to the end', async () => {
    const { process, child, peer, open } = await setUp();
    child.say('one');
    peer.pull();
    child.say('two');
    peer.pull();
    const { pull, ended } = open({ fromSeq: 2 });
    expect(pull()).toEqual(['output 2 two']);
    child.say('three');
    child.finish(3);
    await process.commandEnded;
    await new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));
    expect(pull()).toEqual(['output 3 three', 'exited 4 3', 'closed 5', 'ended complete']);
    expect([ended.length, process.watchers.size]).toEqual([1, 0]);
  });

  it('looks a little after something came, once for all of it', async () => {
    const { clock, child, open } = await setUp();
    const { observer } = open();
    const before = observer.wakes;
    for (let i = 0; i < 100; i++) child.say('x');
    expect(observer.wakes).toBe(before);
    await clock.advance(10);
    expect(observer.wakes).toBe(before + 1);
  });

  it('sends no more than its window holds until that is acknowledged, and then does not look either', async () => {
    const { clock, child, peer, open } = await setUp();
    const { watch, pull, observer } = open({ windowBytes: 1000 });
    for (let i = 0; i < 5; i++) {
      child.say('x'.repeat(400));
      peer.pull();
    }
    await clock.advance(10);
    expect(pull().length).toBe(1);
    const before = observer.wakes;
    child.say('y');
    await clock.advance(100);
    expect(observer.wakes).toBe(before);
    watch.acknowledge(1);
    expect(observer.wakes).toBe(before + 1);
    expect(pull()).toEqual(['output 2 xxxxxxxxx']);
  });

  it('never holds up the process nor its log, and counts exactly what it missed', async () => {
    const { child, peer, process, open } = await setUp({ retainedOutputBytesPerProcess: 4096 });
    const { watch, pull } = open({ windowBytes: 500 });
    child.say('first');
    peer.pull();
    expect(pull()).toEqual(['output 1 first']);
    for (let i = 0; i < 40; i++) {
      child.say('x'.repeat(300));
      peer.pull();
    }
    expect(process.output.isStalled).toBe(false);
    const { firstSeq } = process.output.log;
    expect(firstSeq).toBeGreaterThan(20);
    watch.acknowledge(41);
    const gap = `gap 2-${firstSeq - 1} ${(firstSeq - 2) * 300} evicted`;
    expect(pull()).toEqual([gap, `output ${firstSeq} xxxxxxxxx`]);
  });

  it('of mode `latest` skips what is old, and says so', async () => {
    const { child, peer, open } = await setUp();
    for (let i = 0; i < 20; i++) {
      child.say('x'.repeat(340));
      peer.pull();
    }
    const { pull } = open({ mode: 'latest', windowBytes: 2000 });
    const lines = pull();
    expect(lines[0]).toBe('gap 1-18 6120 skipped');
    expect(lines.slice(1)).toEqual(['output 19 xxxxxxxxx', 'output 20 xxxxxxxxx']);
  });

  it('tells an exit that lies in a gap', async () => {
    const { child, peer, process, table, open } = await setUp({ retainedOutputBytesPerProcess: 1000 });
    const { pull, watch } = open({ windowBytes: 200 });
    child.say('a');
    peer.pull();
    expect(pull().length).toBe(1);
    child.exit({ code: 7 });
    await new Promise((resolve) => setImmediate(() => setImmediate(() => setImmediate(resolve))));
    table.detach();
    process.output.free();
    for (let i = 0; i < 20; i++) child.say('b'.repeat(500));
    watch.acknowledge(99);
    const lines = pull();
    expect(lines[0]).toMatch(/^gap 2-/);
    expect(lines).toContain('exited 2 7');
  });

  it('has the last part of a process that is forgotten, and then ends', async () => {
    const { child, peer, process, table, open } = await setUp();
    child.say('x'.repeat(5000));
    peer.pull();
    child.say('last');
    const { pull } = open({ windowBytes: 1000 });
    void table.end();
    expect(process.watchers.size).toBe(0);
    expect(pull()).toEqual(['gap 1-1 5000 evicted', 'output 2 last', 'ended sessionEnded']);
  });

  it('tells sizes where they belong', async () => {
    const parts = setUpTable();
    const process = await parts.start('t', { io: { type: 'pty', rows: 24, cols: 80 } });
    const child = parts.launcher.last;
    const { pull } = watchOf(process, parts.clock, {});
    child.say('a');
    process.resize(30, 90);
    child.say('b');
    process.resize(40, 100);
    expect(pull()).toEqual(['output 1 a', 'resized 2 30', 'output 2 b', 'resized 3 40']);
    process.resize(41, 100);
    expect(pull()).toEqual(['resized 3 41']);
  });
});

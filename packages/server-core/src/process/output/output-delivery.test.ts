import { describe, expect, it, vi } from 'vitest';
import { settle } from '../../../test-support/manual-clock.js';
import { RecordingPeer } from '../../../test-support/recording-peer.js';
import { scriptedOutput } from '../../../test-support/scripted-output.js';
import { ENTRY_OVERHEAD_BYTES } from './log/output-log.js';

const KB = 1000;

describe('OutputDelivery to a client that reads', () => {
  it('sends everything in order, exited and closed included, and says when it is done', async () => {
    const { delivery, child, peer, delivered } = scriptedOutput();
    child.say('before');
    delivery.goLive(peer.asPeer);
    expect(peer.pull()).toEqual(['output 1 before']);
    child.say('err', 1);
    delivery.exited({ exitCode: 3, sandboxDenied: false });
    child.say('late');
    for (const output of child.outputs) output.end();
    expect(peer.pull()).toEqual(['output 2 err', 'exited 3 3', 'output 4 late', 'closed 5']);
    await settle();
    expect(delivered).toEqual(['delivered']);
    expect(peer.sources.size).toBe(0);
  });

  it.each([
    ['raw bytes', true, 8, [448 * 1024]],
    ['text', false, 8, Array(7).fill(64 * 1024)],
    ['raw bytes, of a log that keeps little', true, 4, Array(7).fill(64 * 1024)],
  ])('sends larger messages to a client that takes %s', (_what, sendsBinary, mebibytes, lengths) => {
    const retainedOutputBytesPerProcess = mebibytes * 1024 * 1024;
    const { delivery, child, peer } = scriptedOutput({ retainedOutputBytesPerProcess });
    peer.sendsBinary = sendsBinary;
    delivery.goLive(peer.asPeer);
    child.say('x'.repeat(448 * 1024));
    const seqs = lengths.map((_, index) => index + 1);
    expect(
      seqs
        .map((seq) => delivery.log.entry(seq))
        .map((entry) => entry?.kind === 'output' && entry.bytes.length),
    ).toEqual(lengths);
    expect(delivery.log.nextSeq).toBe(lengths.length + 1);
  });

  it('sends a client that takes raw bytes whole messages of a flow, and a part after a millisecond', async () => {
    const { delivery, child, peer, clock } = scriptedOutput();
    peer.sendsBinary = true;
    delivery.goLive(peer.asPeer);
    const pull = () => peer.pull().map((line) => line.split(' ')[2]?.length);
    const say = (kibibytes: number) => child.say('x'.repeat(kibibytes * 1024));
    say(448);
    expect(pull()).toEqual([448 * 1024]);
    say(256);
    say(150);
    expect(pull()).toEqual([]);
    say(42);
    expect(pull()).toEqual([448 * 1024]);
    say(100);
    expect(pull()).toEqual([]);
    const { wakes } = peer;
    await clock.advance(1);
    expect(peer.wakes).toBe(wakes + 1);
    expect(pull()).toEqual([100 * 1024]);
  });

  it('keeps no part of a message back when the command has exited, or is stalled until something is sent', () => {
    const exited = scriptedOutput();
    const stalled = scriptedOutput({ unsentOutputBytesPerProcess: 100 * 1024 });
    for (const { delivery, child, peer } of [exited, stalled]) {
      peer.sendsBinary = true;
      delivery.goLive(peer.asPeer);
      child.say('x'.repeat(448 * 1024));
      expect(peer.pull()).toHaveLength(1);
      child.say('x'.repeat(128 * 1024));
    }
    expect(exited.peer.pull()).toEqual([]);
    exited.delivery.exited({ exitCode: 0, sandboxDenied: false });
    expect(exited.peer.pull().map((line) => line.slice(0, 8))).toEqual(['output 2', 'exited 3']);
    expect(stalled.isPaused()).toBe(true);
    expect(stalled.peer.pull()).toHaveLength(1);
    expect(stalled.isPaused()).toBe(false);
  });

  it('is settled when everything was sent, and no longer when it is to be sent again', async () => {
    const { delivery, child, peer } = scriptedOutput();
    const settled = vi.fn();
    delivery.goLive(peer.asPeer);
    void delivery.settled().then(settled);
    child.say('x');
    for (const output of child.outputs) output.end();
    await settle();
    expect(settled).not.toHaveBeenCalled();
    peer.pull();
    await settle();
    expect(settled).toHaveBeenCalledTimes(1);
    const next = new RecordingPeer();
    delivery.hold();
    delivery.goLive(next.asPeer, 1);
    void delivery.settled().then(settled);
    await settle();
    expect(settled).toHaveBeenCalledTimes(1);
    expect(next.pull()).toEqual(['output 1 x', 'closed 2']);
    await settle();
    expect(settled).toHaveBeenCalledTimes(2);
  });

  it('wakes its peer for what comes while it waits', () => {
    const { delivery, child, peer } = scriptedOutput();
    delivery.goLive(peer.asPeer);
    expect(peer.pull()).toEqual([]);
    child.say('x');
    expect(peer.wakes).toBe(1);
    expect(peer.pull()).toEqual(['output 1 x']);
  });

  it('lets output in full flow wait for company, but not the exit', async () => {
    const { delivery, child, peer, clock } = scriptedOutput();
    delivery.goLive(peer.asPeer);
    child.say('x'.repeat(8 * KB));
    peer.pull();
    child.say('more');
    child.say('and more');
    expect(peer.wakes).toBe(1);
    await clock.advance(1);
    expect(peer.wakes).toBe(2);
    expect(peer.pull()).toEqual(['output 2 moreand more']);
    delivery.exited({ exitCode: 0, sandboxDenied: false });
    expect(peer.wakes).toBe(3);
  });

  it('keeps less of what was read when the process has ended, after a while', async () => {
    const { delivery, produce, child, peer, clock } = scriptedOutput({
      retainedOutputBytesPerProcess: 100 * KB,
      retainedReadOutputBytesPerEndedProcess: 10 * KB,
    });
    delivery.goLive(peer.asPeer);
    for (let i = 0; i < 50; i++) {
      produce(KB);
      peer.pull();
    }
    expect(delivery.log.firstSeq).toBe(1);
    for (const output of child.outputs) output.end();
    peer.pull();
    await settle();
    expect(delivery.log.firstSeq).toBe(1);
    await clock.advance(2000);
    expect(delivery.log.retainedCost).toBeLessThanOrEqual(10 * KB);
    expect(delivery.log.retainedCost).toBeGreaterThan(8 * KB);
    expect(delivery.log.omittedAfter(0)).not.toBeNull();
  });

  it('keeps what its client has not read, however long that takes', async () => {
    const { delivery, produce, child, peer, clock } = scriptedOutput({
      retainedOutputBytesPerProcess: 100 * KB,
      retainedReadOutputBytesPerEndedProcess: 10 * KB,
    });
    peer.progress = { sentBytes: 0, readBytes: 0 };
    delivery.goLive(peer.asPeer);
    for (let i = 0; i < 50; i++) produce(KB);
    for (const output of child.outputs) output.end();
    peer.pull();
    await settle();
    await clock.advance(60_000);
    expect(delivery.log.firstSeq).toBe(1);
  });

  it('drops what was sent at the cap, and nothing that was not', () => {
    const { delivery, produce, peer } = scriptedOutput({
      retainedOutputBytesPerProcess: 10 * KB,
      unsentOutputBytesPerProcess: 1e6,
    });
    delivery.goLive(peer.asPeer);
    for (let i = 0; i < 20; i++) produce(KB);
    expect(delivery.log.firstSeq).toBe(1);
    peer.pull(15);
    expect(delivery.log.retainedCost).toBeLessThanOrEqual(10 * KB);
    peer.pull();
    expect(delivery.log.omittedAfter(0)?.toSeq).toBe(delivery.log.firstSeq - 1);
  });
});

describe('OutputDelivery to a client that does not read', () => {
  it('stalls the child above the mark and lets it go on at half of it', () => {
    const { delivery, produce, peer, isPaused } = scriptedOutput({ unsentOutputBytesPerProcess: 10 * KB });
    delivery.goLive(peer.asPeer);
    for (let i = 0; i < 8; i++) produce(KB);
    expect(isPaused()).toBe(false);
    produce(2 * KB);
    expect(isPaused()).toBe(true);
    peer.pull(3);
    expect(isPaused()).toBe(true);
    peer.pull(3);
    expect(isPaused()).toBe(false);
  });

  it('counts what tiny blocks really cost', () => {
    const { delivery, produce, peer, isPaused } = scriptedOutput({ unsentOutputBytesPerProcess: 10 * KB });
    delivery.goLive(peer.asPeer);
    for (let i = 0; i < Math.ceil((10 * KB) / ENTRY_OVERHEAD_BYTES); i++) produce(1);
    expect(isPaused()).toBe(true);
  });
});

describe('OutputDelivery to nobody', () => {
  it('keeps everything and stalls the child at the cap, until it is released', () => {
    const { delivery, produce, isPaused } = scriptedOutput({ retainedOutputBytesPerProcess: 10 * KB });
    delivery.hold();
    for (let i = 0; i < 9; i++) produce(KB);
    expect([isPaused(), delivery.log.firstSeq]).toEqual([true, 1]);
    delivery.free();
    expect(isPaused()).toBe(false);
    for (let i = 0; i < 9; i++) produce(KB);
    expect(isPaused()).toBe(false);
    expect(delivery.log.omittedAfter(0)?.bytes).toBe((delivery.log.firstSeq - 1) * KB);
    expect(delivery.log.retainedCost).toBeLessThanOrEqual(10 * KB);
  });

  it('goes on for the next client where that one says, or where the last was left', () => {
    const { delivery, child, peer } = scriptedOutput();
    delivery.goLive(peer.asPeer);
    child.say('one');
    peer.pull();
    delivery.hold();
    expect(peer.sources.size).toBe(0);
    child.say('two');
    const second = new RecordingPeer();
    delivery.goLive(second.asPeer);
    expect(second.pull()).toEqual(['output 2 two']);
    const third = new RecordingPeer();
    delivery.goLive(third.asPeer, 1);
    expect(third.pull()).toEqual(['output 1 one', 'output 2 two']);
    expect(second.pull()).toEqual([]);
  });

  it('announces an exit that the log has dropped', () => {
    const { delivery, produce, peer } = scriptedOutput({ retainedOutputBytesPerProcess: 3 * KB });
    delivery.free();
    produce(KB);
    delivery.exited({ exitCode: 4, sandboxDenied: false });
    for (let i = 0; i < 5; i++) produce(KB);
    delivery.goLive(peer.asPeer);
    const lines = peer.pull().map((line) => line.split(' x')[0]);
    expect(lines[0]).toBe('exited 2 4');
    expect(lines[1]).toBe(`output ${delivery.log.firstSeq}`);
  });

  it('is done at once for a client that has read to the end', async () => {
    const { delivery, child, peer, delivered } = scriptedOutput();
    delivery.exited({ exitCode: 0, sandboxDenied: false });
    for (const output of child.outputs) output.end();
    delivery.goLive(peer.asPeer, 3);
    await settle();
    expect(delivered).toEqual(['delivered']);
    expect(peer.sources.size).toBe(0);
  });
});

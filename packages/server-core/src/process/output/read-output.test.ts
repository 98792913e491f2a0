import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../../test-support/manual-clock.js';
import { type ScriptedOutput, scriptedOutput } from '../../../test-support/scripted-output.js';
import { OutputBudget } from './output-budget.js';

const KB = 1000;

describe('OutputDelivery over connections that know what was read', () => {
  const limits = { retainedOutputBytesPerProcess: 10 * KB, unsentOutputBytesPerProcess: 1e6 };

  function connected(parts: ScriptedOutput): ScriptedOutput {
    parts.peer.progress = { sentBytes: 0, readBytes: 0 };
    parts.delivery.goLive(parts.peer.asPeer);
    return parts;
  }

  it('drops at the cap what was read, and nothing that was only sent', () => {
    const { delivery, produce, peer } = connected(scriptedOutput(limits));
    for (let i = 0; i < 20; i++) produce(KB);
    peer.pull();
    expect(delivery.log.firstSeq).toBe(1);
    peer.read();
    produce(KB);
    expect(delivery.log.retainedCost).toBeLessThanOrEqual(10 * KB);
  });

  it('counts what was sent as read where the client does not tell', () => {
    const { delivery, produce, peer } = connected(scriptedOutput(limits));
    peer.progress = Object.assign(peer.progress ?? {}, { sentBytes: 0, readBytes: undefined });
    for (let i = 0; i < 20; i++) produce(KB);
    peer.pull();
    produce(KB);
    expect(delivery.log.firstSeq).toBeGreaterThan(8);
  });

  it('makes room with what was read when the client is gone, and then stalls the child', () => {
    const { delivery, produce, peer, isPaused } = connected(scriptedOutput(limits));
    for (let i = 0; i < 8; i++) produce(KB);
    peer.pull();
    peer.read();
    delivery.hold();
    for (let i = 0; i < 7; i++) produce(KB);
    expect(isPaused()).toBe(false);
    expect(delivery.log.omittedAfter(8)).toBeNull();
    for (let i = 0; i < 3; i++) produce(KB);
    expect([isPaused(), delivery.log.omittedAfter(8)]).toEqual([true, null]);
  });

  it('believes a client that comes back and has less than its connection said: a relay may have answered', () => {
    const { delivery, produce, peer } = connected(scriptedOutput(limits));
    for (let i = 0; i < 4; i++) produce(KB);
    peer.pull();
    peer.read();
    delivery.hold();
    delivery.confirm(3);
    for (let i = 0; i < 8; i++) produce(KB);
    expect(delivery.log.firstSeq).toBe(3);
  });

  it('gives up what one client has read, ended or running, cut or not, before another loses anything', () => {
    const budget = new OutputBudget(100 * KB);
    const wide = { unsentOutputBytesPerProcess: 1e6 };
    const [reader, cut] = [connected(scriptedOutput(wide, budget)), connected(scriptedOutput(wide, budget))];
    for (let i = 0; i < 8; i++) reader.produce(10 * KB);
    reader.delivery.exited({ exitCode: 0, sandboxDenied: false });
    for (const output of reader.child.outputs) output.end();
    reader.peer.pull();
    reader.peer.read();
    // It is cut and comes back, and reads nothing more of what it has.
    reader.delivery.hold();
    expect(reader.delivery.isRead).toBe(true);
    for (let i = 0; i < 6; i++) cut.produce(10 * KB);
    cut.peer.pull();
    cut.delivery.hold();
    cut.produce(10 * KB);
    expect(budget.isExhausted).toBe(false);
    expect(cut.delivery.log.omittedAfter(0)).toBeNull();
    expect(reader.delivery.log.omittedAfter(0)?.bytes).toBeGreaterThan(0);
  });

  it('looks again for what was read meanwhile while it is over the limit', async () => {
    const clock = new ManualClock();
    const budget = new OutputBudget(100 * KB, clock);
    const [reader, held] = [connected(scriptedOutput({}, budget)), scriptedOutput({}, budget)];
    for (let i = 0; i < 9; i++) reader.produce(10 * KB);
    reader.peer.pull();
    held.produce(20 * KB);
    expect([budget.isExhausted, held.isPaused()]).toEqual([true, true]);
    reader.peer.read();
    await clock.advance(100);
    expect([budget.isExhausted, held.isPaused(), clock.pending]).toEqual([false, false, 0]);
  });
});

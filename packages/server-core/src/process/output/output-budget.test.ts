import { describe, expect, it } from 'vitest';
import { scriptedOutput } from '../../../test-support/scripted-output.js';
import { OutputBudget } from './output-budget.js';

const KB = 1000;

describe('OutputBudget over several processes', () => {
  const small = { unsentOutputBytesPerProcess: 1e6 };

  it('takes from ended processes first, then from what was sent', () => {
    const budget = new OutputBudget(10 * KB);
    const [running, ended] = [scriptedOutput(small, budget), scriptedOutput(small, budget)];
    for (const { delivery, peer, produce } of [running, ended]) {
      delivery.goLive(peer.asPeer);
      for (let i = 0; i < 4; i++) produce(KB);
      peer.pull();
    }
    ended.delivery.exited({ exitCode: 0, sandboxDenied: false });
    ended.peer.pull();
    running.produce(KB);
    running.produce(KB);
    expect(running.delivery.log.firstSeq).toBe(1);
    expect(ended.delivery.log.firstSeq).toBeGreaterThan(1);
    for (let i = 0; i < 5; i++) {
      running.produce(KB);
      running.peer.pull();
    }
    expect(running.delivery.log.firstSeq).toBeGreaterThan(1);
    expect(budget.used).toBeLessThanOrEqual(10 * KB);
  });

  it('stalls producers when nothing may be dropped, and lets them go on when something was', () => {
    const budget = new OutputBudget(100 * KB);
    const [one, two] = [scriptedOutput(small, budget), scriptedOutput(small, budget)];
    for (const { delivery, peer, produce } of [one, two]) {
      delivery.goLive(peer.asPeer);
      for (let i = 0; i < 7; i++) produce(10 * KB);
    }
    expect(budget.isExhausted).toBe(true);
    expect([one.isPaused(), two.isPaused()]).toEqual([true, true]);
    one.peer.pull();
    expect(budget.isExhausted).toBe(false);
    expect([one.isPaused(), two.isPaused()]).toEqual([false, false]);
  });

  it('keeps what a client has not read that may come back, and gives it up when it did not in time', () => {
    const budget = new OutputBudget(100 * KB);
    const [gone, other] = [scriptedOutput(small, budget), scriptedOutput(small, budget)];
    for (let i = 0; i < 7; i++) gone.produce(10 * KB);
    gone.delivery.exited({ exitCode: 0, sandboxDenied: false });
    other.delivery.goLive(other.peer.asPeer);
    for (let i = 0; i < 6; i++) other.produce(10 * KB);
    expect(gone.delivery.log.omittedAfter(0)).toBeNull();
    // The other goes on with little.
    expect(budget.isExhausted).toBe(true);
    other.peer.pull();
    expect([budget.isExhausted, other.isPaused()]).toEqual([false, false]);
    for (let i = 0; i < 9; i++) {
      other.produce(10 * KB);
      if (i < 5) other.peer.pull();
    }
    expect(gone.delivery.log.omittedAfter(0)).toBeNull();
    gone.delivery.free();
    expect([budget.isExhausted, other.isPaused()]).toEqual([false, false]);
    expect(gone.delivery.log.omittedAfter(0)?.bytes).toBeGreaterThan(0);
  });

  it('takes what was read, of a running process too, before what nobody has read of a client that is late', () => {
    const budget = new OutputBudget(100 * KB);
    const [gone, other] = [scriptedOutput(small, budget), scriptedOutput(small, budget)];
    for (let i = 0; i < 4; i++) gone.produce(10 * KB);
    gone.delivery.exited({ exitCode: 0, sandboxDenied: false });
    gone.delivery.free();
    other.delivery.goLive(other.peer.asPeer);
    for (let i = 0; i < 9; i++) {
      other.produce(10 * KB);
      other.peer.pull();
    }
    expect(gone.delivery.log.omittedAfter(0)).toBeNull();
    expect(other.delivery.log.firstSeq).toBeGreaterThan(1);
  });

  it('lets processes go on whose client did not come back in time, at the cost of their oldest output', () => {
    const budget = new OutputBudget(100 * KB);
    const all = [scriptedOutput(small, budget), scriptedOutput(small, budget), scriptedOutput(small, budget)];
    for (const { delivery } of all) delivery.hold();
    for (let i = 0; i < 20; i++) for (const { produce, isPaused } of all) if (!isPaused()) produce(10 * KB);
    expect(all.map(({ isPaused }) => isPaused())).toEqual([true, true, true]);
    for (const { delivery } of all) delivery.free();
    expect(budget.isExhausted).toBe(false);
    expect(all.map(({ isPaused }) => isPaused())).toEqual([false, false, false]);
    expect(all[0]?.delivery.log.omittedAfter(0)?.bytes).toBeGreaterThan(0);
  });

  it('also lets the output of an ended command go on, which its background children still write', () => {
    const budget = new OutputBudget(100 * KB);
    const [background, other] = [scriptedOutput(small, budget), scriptedOutput(small, budget)];
    background.delivery.hold();
    background.delivery.exited({ exitCode: 0, sandboxDenied: false });
    other.delivery.goLive(other.peer.asPeer);
    for (let i = 0; i < 11; i++) other.produce(10 * KB);
    background.produce(KB);
    expect(background.isPaused()).toBe(true);
    other.peer.pull();
    expect(budget.isExhausted).toBe(false);
    expect(background.isPaused()).toBe(false);
  });

  it('gets everything back from a process that is forgotten', () => {
    const budget = new OutputBudget(100 * KB);
    const { delivery, produce, child } = scriptedOutput({}, budget);
    produce(KB);
    delivery.discard();
    expect(budget.used).toBe(0);
    child.say('more');
    expect(budget.used).toBe(0);
  });
});

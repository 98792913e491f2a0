import { describe, expect, it, vi } from 'vitest';
import { ManualClock, settle } from '../../../test-support/manual-clock.js';
import { RecordingPeer } from '../../../test-support/recording-peer.js';
import { ScriptedProcess } from '../../../test-support/scripted-launcher.js';
import { DEFAULT_PROCESS_LIMITS, type ProcessLimits } from '../process-limits.js';
import { OutputBudget } from './output-budget.js';
import { OutputDelivery } from './output-delivery.js';
import { ENTRY_OVERHEAD_BYTES } from './output-log.js';

const KB = 1000;

function setUp(limits: Partial<ProcessLimits> = {}, budget = new OutputBudget(1e9)) {
  const delivered: string[] = [];
  const clock = new ManualClock();
  const delivery = new OutputDelivery({
    processId: 'p',
    limits: { ...DEFAULT_PROCESS_LIMITS, ...limits },
    budget,
    clock,
    onChange: () => undefined,
    onDelivered: () => void delivered.push('delivered'),
  });
  const child = new ScriptedProcess(
    { argv: ['x'], cwd: '/', env: {}, io: { type: 'pipe', stdin: 'closed' } },
    1,
  );
  delivery.readFrom(child.outputs, () => delivery.closed());
  const peer = new RecordingPeer();
  /** A block of its own: nothing is merged into it. */
  const produce = (bytes: number) => {
    child.say('x'.repeat(bytes));
    delivery.log.entry(delivery.log.nextSeq - 1);
  };
  const isPaused = () => child.outputs[0]?.isPaused;
  return { delivery, child, peer, produce, budget, clock, delivered, isPaused };
}

describe('OutputDelivery to a client that reads', () => {
  it('sends everything in order, exited and closed included, and says when it is done', async () => {
    const { delivery, child, peer, delivered } = setUp();
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

  it('is settled when everything was sent, and no longer when it is to be sent again', async () => {
    const { delivery, child, peer } = setUp();
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
    const { delivery, child, peer } = setUp();
    delivery.goLive(peer.asPeer);
    expect(peer.pull()).toEqual([]);
    child.say('x');
    expect(peer.wakes).toBe(1);
    expect(peer.pull()).toEqual(['output 1 x']);
  });

  it('lets output in full flow wait for company, but not the exit', async () => {
    const { delivery, child, peer, clock } = setUp();
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

  it('drops what was sent at the cap, and nothing that was not', () => {
    const { delivery, produce, peer } = setUp({
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
    const { delivery, produce, peer, isPaused } = setUp({ unsentOutputBytesPerProcess: 10 * KB });
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
    const { delivery, produce, peer, isPaused } = setUp({ unsentOutputBytesPerProcess: 10 * KB });
    delivery.goLive(peer.asPeer);
    for (let i = 0; i < Math.ceil((10 * KB) / ENTRY_OVERHEAD_BYTES); i++) produce(1);
    expect(isPaused()).toBe(true);
  });
});

describe('OutputDelivery to nobody', () => {
  it('keeps everything and stalls the child at the cap, until it is released', () => {
    const { delivery, produce, isPaused } = setUp({ retainedOutputBytesPerProcess: 10 * KB });
    delivery.hold();
    for (let i = 0; i < 9; i++) produce(KB);
    expect([isPaused(), delivery.log.firstSeq]).toEqual([true, 1]);
    delivery.release();
    expect(isPaused()).toBe(false);
    for (let i = 0; i < 9; i++) produce(KB);
    expect(isPaused()).toBe(false);
    expect(delivery.log.omittedAfter(0)?.bytes).toBe((delivery.log.firstSeq - 1) * KB);
    expect(delivery.log.retainedCost).toBeLessThanOrEqual(10 * KB);
  });

  it('goes on for the next client where that one says, or where the last was left', () => {
    const { delivery, child, peer } = setUp();
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
    const { delivery, produce, peer } = setUp({ retainedOutputBytesPerProcess: 3 * KB });
    delivery.release();
    produce(KB);
    delivery.exited({ exitCode: 4, sandboxDenied: false });
    for (let i = 0; i < 5; i++) produce(KB);
    delivery.goLive(peer.asPeer);
    const lines = peer.pull().map((line) => line.split(' x')[0]);
    expect(lines[0]).toBe('exited 2 4');
    expect(lines[1]).toBe(`output ${delivery.log.firstSeq}`);
  });

  it('is done at once for a client that has read to the end', async () => {
    const { delivery, child, peer, delivered } = setUp();
    delivery.exited({ exitCode: 0, sandboxDenied: false });
    for (const output of child.outputs) output.end();
    delivery.goLive(peer.asPeer, 3);
    await settle();
    expect(delivered).toEqual(['delivered']);
    expect(peer.sources.size).toBe(0);
  });
});

describe('OutputBudget over several processes', () => {
  const small = { unsentOutputBytesPerProcess: 1e6 };

  it('takes from ended processes first, then from what was sent', () => {
    const budget = new OutputBudget(10 * KB);
    const [running, ended] = [setUp(small, budget), setUp(small, budget)];
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
    const [one, two] = [setUp(small, budget), setUp(small, budget)];
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
    const [gone, other] = [setUp(small, budget), setUp(small, budget)];
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
    gone.delivery.release();
    expect([budget.isExhausted, other.isPaused()]).toEqual([false, false]);
    expect(gone.delivery.log.omittedAfter(0)?.bytes).toBeGreaterThan(0);
  });

  it('lets processes go on whose client did not come back in time, at the cost of their oldest output', () => {
    const budget = new OutputBudget(100 * KB);
    const all = [setUp(small, budget), setUp(small, budget), setUp(small, budget)];
    for (const { delivery } of all) delivery.hold();
    for (let i = 0; i < 20; i++) for (const { produce, isPaused } of all) if (!isPaused()) produce(10 * KB);
    expect(all.map(({ isPaused }) => isPaused())).toEqual([true, true, true]);
    for (const { delivery } of all) delivery.release();
    expect(budget.isExhausted).toBe(false);
    expect(all.map(({ isPaused }) => isPaused())).toEqual([false, false, false]);
    expect(all[0]?.delivery.log.omittedAfter(0)?.bytes).toBeGreaterThan(0);
  });

  it('also lets the output of an ended command go on, which its background children still write', () => {
    const budget = new OutputBudget(100 * KB);
    const [background, other] = [setUp(small, budget), setUp(small, budget)];
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
    const { delivery, produce, child } = setUp({}, budget);
    produce(KB);
    delivery.dispose();
    expect(budget.used).toBe(0);
    child.say('more');
    expect(budget.used).toBe(0);
  });
});

describe('OutputDelivery over connections that know what was read', () => {
  const limits = { retainedOutputBytesPerProcess: 10 * KB, unsentOutputBytesPerProcess: 1e6 };

  function connected(parts: ReturnType<typeof setUp>): typeof parts {
    parts.peer.progress = { sentBytes: 0, readBytes: 0 };
    parts.delivery.goLive(parts.peer.asPeer);
    return parts;
  }

  it('drops at the cap what was read, and nothing that was only sent', () => {
    const { delivery, produce, peer } = connected(setUp(limits));
    for (let i = 0; i < 20; i++) produce(KB);
    peer.pull();
    expect(delivery.log.firstSeq).toBe(1);
    peer.read();
    produce(KB);
    expect(delivery.log.retainedCost).toBeLessThanOrEqual(10 * KB);
  });

  it('counts what was sent as read where the client does not tell', () => {
    const { delivery, produce, peer } = connected(setUp(limits));
    peer.progress = Object.assign(peer.progress ?? {}, { sentBytes: 0, readBytes: undefined });
    for (let i = 0; i < 20; i++) produce(KB);
    peer.pull();
    produce(KB);
    expect(delivery.log.firstSeq).toBeGreaterThan(8);
  });

  it('makes room with what was read when the client is gone, and then stalls the child', () => {
    const { delivery, produce, peer, isPaused } = connected(setUp(limits));
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
    const { delivery, produce, peer } = connected(setUp(limits));
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
    const [reader, cut] = [connected(setUp(wide, budget)), connected(setUp(wide, budget))];
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
    const [reader, held] = [connected(setUp({}, budget)), setUp({}, budget)];
    for (let i = 0; i < 9; i++) reader.produce(10 * KB);
    reader.peer.pull();
    held.produce(20 * KB);
    expect([budget.isExhausted, held.isPaused()]).toEqual([true, true]);
    reader.peer.read();
    await clock.advance(100);
    expect([budget.isExhausted, held.isPaused(), clock.pending]).toEqual([false, false, 0]);
  });
});

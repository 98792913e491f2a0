import { describe, expect, it } from 'vitest';
import { FileRequestOrder } from './file-request-order.js';

/** An operation that starts when the gate lets it and ends when the test says so. */
function operation(log: string[], name: string) {
  let finish: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const act = async (): Promise<string> => {
    log.push(`${name} starts`);
    await ended;
    log.push(`${name} ends`);
    return name;
  };
  return { act, finish };
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('the order of file requests', () => {
  it('lets reads run side by side and starts them synchronously', () => {
    const log: string[] = [];
    const gate = new FileRequestOrder();
    void gate.read(operation(log, 'first').act);
    void gate.read(operation(log, 'second').act);
    expect(log).toEqual(['first starts', 'second starts']);
  });

  it('is free for a read unless a change is under way or waits, or the connection has ended', async () => {
    const gate = new FileRequestOrder();
    expect(gate.isFree).toBe(true);
    const read = operation([], 'read');
    const change = operation([], 'change');
    const reading = gate.read(read.act);
    expect(gate.isFree).toBe(true);
    const changing = gate.change(change.act);
    expect(gate.isFree).toBe(false);
    read.finish();
    await reading;
    expect(gate.isFree).toBe(false);
    change.finish();
    await changing;
    expect(gate.isFree).toBe(true);
    gate.end();
    expect(gate.isFree).toBe(false);
  });

  it('holds a change back until earlier reads end, and later reads until the change ends', async () => {
    const log: string[] = [];
    const gate = new FileRequestOrder();
    const read = operation(log, 'read');
    const change = operation(log, 'change');
    const later = operation(log, 'later');
    const all = [gate.read(read.act), gate.change(change.act), gate.read(later.act)];
    await turn();
    expect(log).toEqual(['read starts']);
    read.finish();
    await turn();
    expect(log).toEqual(['read starts', 'read ends', 'change starts']);
    change.finish();
    later.finish();
    expect(await Promise.all(all)).toEqual(['read', 'change', 'later']);
    expect(log.slice(3)).toEqual(['change ends', 'later starts', 'later ends']);
  });

  it('runs changes one at a time in the order they came', async () => {
    const gate = new FileRequestOrder();
    const seen: number[] = [];
    const changes = [1, 2, 3, 4].map((number) =>
      gate.change(async () => {
        await turn();
        seen.push(number);
      }),
    );
    await Promise.all(changes);
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  it('goes on after a failure', async () => {
    const gate = new FileRequestOrder();
    const failed = gate.change(() => Promise.reject(new TypeError('no')));
    const next = gate.read(async () => 'read');
    await expect(failed).rejects.toThrow('no');
    expect(await next).toBe('read');
    expect(gate.settled()).toBeUndefined();
  });

  it('is settled when every earlier change has ended, whatever comes later', async () => {
    const gate = new FileRequestOrder();
    expect(gate.settled()).toBeUndefined();
    const log: string[] = [];
    const first = operation(log, 'first');
    const second = operation(log, 'second');
    void gate.change(first.act);
    const settled = Promise.resolve(gate.settled()).then(() => log.push('settled'));
    void gate.change(second.act);
    await turn();
    expect(log).toEqual(['first starts']);
    first.finish();
    await settled;
    expect(log).toContain('settled');
    expect(log).not.toContain('second ends');
    second.finish();
    await turn();
    expect(gate.settled()).toBeUndefined();
  });

  it('does not wait for reads to be settled', () => {
    const gate = new FileRequestOrder();
    void gate.read(operation([], 'read').act);
    expect(gate.settled()).toBeUndefined();
  });

  it('starts nothing more once the connection has ended', async () => {
    const gate = new FileRequestOrder();
    const log: string[] = [];
    const running = operation(log, 'running');
    const first = gate.change(running.act);
    const queued = gate.change(operation(log, 'queued').act);
    gate.end();
    running.finish();
    expect(await first).toBe('running');
    await expect(queued).rejects.toThrow('the connection ended before this request was started');
    expect(log).not.toContain('queued starts');
  });

  it('begins behind what an order that has ended has under way, and not behind what it never starts', async () => {
    const log: string[] = [];
    const before = new FileRequestOrder();
    const running = operation(log, 'running');
    const never = operation(log, 'never');
    const first = before.change(running.act);
    const second = before.change(never.act);
    before.end();
    const next = new FileRequestOrder(before.unchanging);
    const last = new FileRequestOrder(next.unchanging);
    const later = operation(log, 'later');
    later.finish();
    const change = last.change(later.act);
    const read = last.read(async () => log.push('read'));
    await turn();
    expect(log).toEqual(['running starts']);
    running.finish();
    await expect(second).rejects.toThrow('the connection ended');
    await Promise.all([first, change, read]);
    expect(log).toEqual(['running starts', 'running ends', 'later starts', 'later ends', 'read']);
    expect(last.unchanging).toBeUndefined();
  });
});

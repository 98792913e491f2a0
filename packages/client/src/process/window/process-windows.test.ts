import { describe, expect, it } from 'vitest';
import { settle } from '../../../test-support/manual-clock.js';
import { ScriptedFeed } from '../../../test-support/scripted-feed.js';
import { ProcessWindows } from './process-windows.js';

describe('the windows of a process', () => {
  it('go on where the last one ended', async () => {
    const scripted = new ScriptedFeed();
    const windows = new ProcessWindows(scripted.feed);
    scripted.output('a');
    expect((await windows.collect({ ms: 0 })).output.text).toBe('a');
    scripted.output('b');
    const second = await windows.collect({ ms: 0 });
    expect(second.output.text).toBe('b');
    scripted.output('c');
    expect((await windows.collect({ ms: 0, from: 'seq:0' })).output.text).toBe('abc');
    expect((await windows.collect({ ms: 0, from: second.cursor })).output.text).toBe('c');
    expect((await windows.collect({ ms: 0 })).output.text).toBe('c');
  });

  it('each get everything when they overlap', async () => {
    const scripted = new ScriptedFeed();
    const windows = new ProcessWindows(scripted.feed);
    const both = Promise.all([windows.collect({ ms: 100 }), windows.collect({ ms: 50 })]);
    scripted.output('x');
    await scripted.clock.advance(50);
    scripted.output('y');
    await scripted.clock.advance(50);
    expect((await both).map(({ output }) => output.text)).toEqual(['xy', 'x']);
    expect((await windows.collect({ ms: 0 })).output.text).toBe('');
  });

  it('take turns in a dialogue, and a failed write does not hold up the next', async () => {
    const scripted = new ScriptedFeed();
    const windows = new ProcessWindows(scripted.feed);
    const order: string[] = [];
    const first = windows.takeTurn(async () => void order.push('first'), { ms: 100 });
    const second = windows.takeTurn(() => Promise.reject(new Error('closed')), { ms: 100 });
    const third = windows.takeTurn(async () => void order.push('third'), { ms: 100 });
    await settle();
    expect(order).toEqual(['first']);
    await scripted.clock.advance(100);
    await first;
    await expect(second).rejects.toThrow('closed');
    await settle();
    expect(order).toEqual(['first', 'third']);
    await scripted.clock.advance(100);
    await third;
  });

  it('wait for quiet, or say that it was not', async () => {
    const scripted = new ScriptedFeed();
    const windows = new ProcessWindows(scripted.feed);
    const quiet = windows.waitForQuiet(100, {});
    await scripted.clock.advance(60);
    scripted.output('x');
    await scripted.clock.advance(100);
    await quiet;
    const loud = windows.waitForQuiet(100, { timeoutMs: 250 }).catch((error: unknown) => error);
    for (let turn = 0; turn < 5; turn++) {
      scripted.output('x');
      await scripted.clock.advance(60);
    }
    expect(await loud).toMatchObject({ code: 'process.waitTimeout' });
  });

  it('refuse a length that is none', async () => {
    const windows = new ProcessWindows(new ScriptedFeed().feed);
    await expect(windows.collect({ ms: Number.NaN })).rejects.toMatchObject({ code: 'argument.invalid' });
    await expect(windows.collect({ ms: 1, from: 'nonsense' })).rejects.toMatchObject({
      code: 'argument.invalid',
    });
  });
});

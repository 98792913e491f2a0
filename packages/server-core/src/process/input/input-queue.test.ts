import { describe, expect, it } from 'vitest';
import { settle } from '../../../test-support/manual-clock.js';
import { ScriptedInput } from '../../../test-support/scripted-launcher.js';
import { ByteBudget } from './byte-budget.js';
import { InputQueue } from './input-queue.js';

const bytes = (value: string) => new TextEncoder().encode(value);

function queueWith({ capacityBytes = 4, waitingBytes = 100 } = {}) {
  const waiting = new ByteBudget(waitingBytes);
  const queue = new InputQueue({ capacityBytes, waiting });
  const input = new ScriptedInput();
  const outcomes: string[] = [];
  const write = (value: string) =>
    void queue.write(bytes(value)).then((outcome) => outcomes.push(`${value} ${outcome}`));
  return { queue, input, outcomes, write, waiting };
}

describe('InputQueue', () => {
  it('acknowledges what fits and makes the rest wait, in order', async () => {
    const { queue, input, outcomes, write, waiting } = queueWith();
    queue.connect(input);
    for (const value of ['aa', 'bb', 'cc', 'd']) write(value);
    await settle();
    expect(outcomes).toEqual(['aa accepted', 'bb accepted']);
    expect(waiting.used).toBe(3);
    input.take();
    await settle();
    expect(outcomes).toEqual(['aa accepted', 'bb accepted', 'cc accepted']);
    for (let i = 0; i < 3; i++) {
      input.take();
      await settle();
    }
    expect(input.taken).toEqual(['aa', 'bb', 'cc', 'd']);
    expect(outcomes.at(-1)).toBe('d accepted');
    expect(waiting.used).toBe(0);
  });

  it('answers by what became of a write once the command has ended and somebody else may be reading', async () => {
    const { queue, input, outcomes, write, waiting } = queueWith();
    queue.connect(input);
    queue.answerWhenTaken();
    for (const value of ['a', 'b', 'c']) write(value);
    await settle();
    expect(outcomes).toEqual([]);
    input.take();
    await settle();
    expect(outcomes).toEqual(['a accepted']);
    input.breakPipe();
    await settle();
    expect(outcomes).toEqual(['a accepted', 'b stdinClosed', 'c stdinClosed']);
    expect(waiting.used).toBe(0);
  });

  it('lets a write through that is larger than the whole queue, alone', async () => {
    const { queue, input, outcomes, write } = queueWith();
    queue.connect(input);
    write('a');
    write('bbbbbbbbb');
    await settle();
    expect(outcomes).toEqual(['a accepted']);
    input.take();
    await settle();
    expect(outcomes).toEqual(['a accepted', 'bbbbbbbbb accepted']);
  });

  it('holds writes until the process is there', async () => {
    const { queue, input, outcomes, write } = queueWith();
    write('a');
    queue.end();
    await settle();
    expect(outcomes).toEqual([]);
    queue.connect(input);
    input.take();
    await settle();
    expect(outcomes).toEqual(['a accepted']);
    expect(input.isEnded).toBe(true);
  });

  it('ends the input behind what was written, and takes nothing more', async () => {
    const { queue, input, outcomes, write } = queueWith();
    queue.connect(input);
    write('a');
    queue.end();
    write('b');
    await settle();
    expect(input.isEnded).toBe(false);
    expect(outcomes).toContain('b stdinClosed');
    input.take();
    await settle();
    expect(input.isEnded).toBe(true);
  });

  it('answers everything that waits when the reader is gone', async () => {
    const { queue, input, outcomes, write, waiting } = queueWith();
    queue.connect(input);
    for (const value of ['aaaa', 'bbbb', 'cccc']) write(value);
    await settle();
    input.breakPipe();
    await settle();
    expect(outcomes).toEqual(['aaaa accepted', 'bbbb stdinClosed', 'cccc stdinClosed']);
    expect(waiting.used).toBe(0);
    expect(queue.isClosed).toBe(true);
  });

  it('says when the child has the bytes, which is later than the answer, and never when it does not take them', async () => {
    const { queue, input } = queueWith();
    queue.connect(input);
    const taken: string[] = [];
    for (const value of ['aa', 'bb', 'cc']) void queue.write(bytes(value), () => taken.push(value));
    await settle();
    expect(taken).toEqual([]);
    input.take();
    await settle();
    expect(taken).toEqual(['aa']);
    input.breakPipe();
    await settle();
    expect(taken).toEqual(['aa']);
  });

  it('answers with stdinClosed where there is no input', async () => {
    const { queue, outcomes, write } = queueWith();
    write('a');
    queue.connect(undefined);
    await settle();
    expect(outcomes).toEqual(['a stdinClosed']);
  });

  it('refuses what would wait beyond the budget', () => {
    const { queue, write } = queueWith({ waitingBytes: 5 });
    write('aaaaa');
    expect(() => queue.write(bytes('b'))).toThrow(
      'more than 5 bytes of input wait for processes that do not read them',
    );
  });
});

describe('ByteBudget', () => {
  it('takes from all budgets or from none', () => {
    const server = new ByteBudget(10);
    const [one, two] = [new ByteBudget(8, server), new ByteBudget(8, server)];
    expect(one.take(8)).toBe(true);
    expect(one.take(1)).toBe(false);
    expect(two.take(3)).toBe(false);
    expect([two.used, server.used]).toEqual([0, 8]);
    one.give(8);
    expect(two.take(3)).toBe(true);
    expect(server.used).toBe(3);
  });
});

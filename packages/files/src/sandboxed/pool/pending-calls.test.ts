import { describe, expect, it } from 'vitest';
import { otherError } from '../../fs-error.js';
import { HelperProtocolError } from '../../helper-protocol/helper-protocol-error.js';
import { type HelperCall, PendingCalls } from './pending-calls.js';

const call: HelperCall = { operation: 'readFile', args: {} };
const nothing = Buffer.alloc(0);
const noRoom = () => {
  throw otherError('no room');
};

function setUp(more: Partial<HelperCall> = {}) {
  const calls = new PendingCalls();
  let settled = 0;
  const answer = calls.add(1, { ...call, ...more }, () => {
    settled += 1;
  });
  return { calls, answer, settled: () => settled };
}

describe('the calls that wait for a helper', () => {
  it('are settled once, each by its own answer', async () => {
    const { calls, answer, settled } = setUp();
    calls.answer(1, { result: 'x', payload: nothing });
    expect(await answer).toEqual({ result: 'x', payload: nothing });
    expect([calls.size, settled()]).toEqual([0, 1]);
    expect(() => calls.answer(1, { result: 'y', payload: nothing })).toThrow(HelperProtocolError);
  });

  it('fail as the helper says, and as their caller says of a file that is too large', async () => {
    const failure = { code: 'FS_OTHER', message: 'm', errno: 'EIO', tooLarge: 5 } as const;
    const plain = setUp();
    plain.calls.fail(1, failure);
    await expect(plain.answer).rejects.toMatchObject({ message: 'm', errno: 'EIO' });
    const named = setUp({ tooLarge: (size) => otherError(`${size} is too much`) });
    named.calls.fail(1, failure);
    await expect(named.answer).rejects.toThrow('5 is too much');
  });

  it('take no answer for which there is no room', async () => {
    const { calls, answer, settled } = setUp({ reserve: noRoom });
    await Promise.all([calls.reserve(1, 10), expect(answer).rejects.toThrow('no room')]);
    expect(calls.size).toBe(1);
    calls.answer(1, { result: undefined, payload: nothing });
    expect([calls.size, settled()]).toEqual([0, 1]);
  });

  it('are lost together, also while one waits for room', async () => {
    const { calls, answer } = setUp({ reserve: () => Promise.reject(otherError('too late')) });
    const reserved = calls.reserve(1, 10);
    calls.failAll(otherError('lost'));
    await expect(answer).rejects.toThrow('lost');
    await reserved;
    expect(calls.size).toBe(0);
  });

  it('do not take a helper by its word that asks room for nothing', () => {
    expect(() => new PendingCalls().reserve(7, 10)).toThrow(HelperProtocolError);
  });
});

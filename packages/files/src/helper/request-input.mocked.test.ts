import type * as fs from 'node:fs';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { type RequestService, serveRequests, wholeInput } from './request-input.js';

/** What the reads of standard input give, one after the other: bytes, or an errno. */
const input = vi.hoisted((): string[] => []);

vi.mock('node:fs', async (importOriginal) => {
  const next = (buffer: Buffer): number => {
    const given = input.shift() ?? '';
    if (given.startsWith('E')) throw Object.assign(new RangeError(given), { code: given });
    return buffer.write(given);
  };
  type Done = (error: unknown, count: number) => void;
  const read = (...args: [fd: number, into: Buffer, at: 0, room: number, from: null, done: Done]): void => {
    const [, buffer, , , , done] = args;
    let outcome: [unknown, number];
    try {
      outcome = [null, next(buffer)];
    } catch (error) {
      outcome = [error, 0];
    }
    setImmediate(done, ...outcome);
  };
  const readSync = (_fd: number, buffer: Buffer): number => next(buffer);
  return { ...(await importOriginal<typeof fs>()), read, readSync };
});

function service(isBusy: boolean): RequestService & { readonly text: () => string } {
  const blocks: Buffer[] = [];
  return {
    push: (block) => void blocks.push(block),
    isBusy,
    isCrowded: false,
    untilWaiting: async () => {},
    text: () => Buffer.concat(blocks).toString(),
  };
}

beforeEach(() => void input.splice(0));

describe('the input of a helper', () => {
  it.each([
    ['nothing is', false],
    ['something is', true],
  ])('goes on after a read that was interrupted, while %s under way', async (_what, isBusy) => {
    input.push('EINTR', 'one ', 'EINTR', 'EINTR', 'two');
    const served = service(isBusy);
    await serveRequests(served);
    expect(served.text()).toBe('one two');
  });

  it.each([false, true])('ends with any other failure (busy: %s)', async (isBusy) => {
    input.push('one', 'EIO');
    await expect(serveRequests(service(isBusy))).rejects.toThrow();
  });

  it('is waited for when all of it is wanted at once', async () => {
    input.push('one ', 'EAGAIN', 'EINTR', 'two');
    expect((await wholeInput()).toString()).toBe('one two');
  });
});

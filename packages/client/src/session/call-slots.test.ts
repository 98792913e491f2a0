import { describe, expect, it } from 'vitest';
import { settle } from '../../test-support/manual-clock.js';
import { CallSlots } from './call-slots.js';

describe('call slots', () => {
  it('let a bounded number work, the others in order, and forget those that abort', async () => {
    const slots = new CallSlots();
    const finish: (() => void)[] = [];
    const started: number[] = [];
    const call = (index: number, signal?: AbortSignal): Promise<void> =>
      slots.run(
        () => {
          started.push(index);
          return new Promise((resolve) => finish.push(resolve));
        },
        { signal },
      );
    for (let index = 0; index < 64; index++) void call(index);
    const abort = new AbortController();
    const given = call(64, abort.signal).catch((error: unknown) => error);
    void call(65);
    await settle();
    expect(started).toHaveLength(64);
    abort.abort();
    expect(await given).toMatchObject({ code: 'aborted' });
    finish[0]?.();
    await settle();
    expect(started.at(-1)).toBe(65);
    expect(started).toHaveLength(65);
  });
});

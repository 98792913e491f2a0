import { describe, expect, it } from 'vitest';
import { unlessStranded } from './unless-stranded.js';

const runEmpty = (): boolean => process.emit('beforeExit', 0);
const never = (): Promise<never> => new Promise(() => undefined);
const STRANDED = { code: 'STRANDED' };

describe('unlessStranded', () => {
  it('is as its work, and leaves no listener', async () => {
    const before = process.listenerCount('beforeExit');
    expect(await unlessStranded(() => Promise.resolve(3))).toBe(3);
    await expect(unlessStranded(() => Promise.reject(new RangeError('x')))).rejects.toThrow(RangeError);
    expect(process.listenerCount('beforeExit')).toBe(before);
  });

  it('fails when the event loop runs empty before its work is done', async () => {
    const end = unlessStranded(never);
    runEmpty();
    await expect(end).rejects.toMatchObject(STRANDED);
  });

  it('lets the innermost say how it failed', async () => {
    const end = unlessStranded(() =>
      unlessStranded(never).catch((error: unknown) => {
        throw new RangeError('inner', { cause: error });
      }),
    );
    runEmpty();
    await expect(end).rejects.toMatchObject({ message: 'inner', cause: STRANDED });
  });
});

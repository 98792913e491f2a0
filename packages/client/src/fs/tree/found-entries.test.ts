import { describe, expect, it } from 'vitest';
import type { LocalEntry } from '../../platform.js';
import { FoundEntries } from './found-entries.js';

const entry = (path: string): LocalEntry => ({ path, kind: 'file', size: 0 });

describe('entries that a walk finds', () => {
  it('are taken as far as they were found, and the first can be looked at before', async () => {
    const found = new FoundEntries();
    const first = found.first();
    found.add(entry('a'));
    expect((await first)?.path).toBe('a');
    found.add(entry('b'));
    expect((await found.take())?.map(({ path }) => path)).toEqual(['a', 'b']);
    const later = found.take();
    found.add(entry('c'));
    found.end();
    expect((await later)?.map(({ path }) => path)).toEqual(['c']);
    expect(await found.take()).toBeUndefined();
  });

  it('come before the failure that ended the walk', async () => {
    const found = new FoundEntries();
    found.add(entry('a'));
    found.end({ error: new RangeError('no') });
    expect((await found.take())?.map(({ path }) => path)).toEqual(['a']);
    await expect(found.take()).rejects.toThrow('no');
  });

  it('end the walk when nobody wants them', () => {
    const found = new FoundEntries();
    found.leave();
    expect(() => found.add(entry('a'))).toThrow('ended before its walk');
  });
});

import { describe, expect, it } from 'vitest';
import type { ProcessEntry } from '../../process-table.js';
import { ProcessSnapshot } from './process-snapshot.js';

function entry(pid: number, parent: number, more: Partial<ProcessEntry> = {}): ProcessEntry {
  return { pid, parent, group: pid, session: 10, isZombie: false, startTime: '1', ...more };
}

const snapshot = new ProcessSnapshot([
  entry(14, 13),
  entry(10, 1),
  entry(11, 10),
  entry(12, 10, { isZombie: true }),
  entry(13, 12, { session: 13 }),
  entry(20, 2, { session: 20 }),
]);

describe('ProcessSnapshot', () => {
  it('finds what is below a process, also below a zombie, parents first', () => {
    expect(snapshot.below(10, () => false).map(({ pid }) => pid)).toEqual([11, 13, 14]);
  });

  it('spares whole branches', () => {
    expect(snapshot.below(10, ({ pid }) => pid === 13).map(({ pid }) => pid)).toEqual([11]);
  });

  it('finds the members of a session that are alive', () => {
    expect(snapshot.inSession(10).map(({ pid }) => pid)).toEqual([14, 10, 11]);
    expect(snapshot.inSession(99)).toEqual([]);
  });
});

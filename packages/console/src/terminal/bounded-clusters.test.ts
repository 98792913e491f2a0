import { describe, expect, it } from 'vitest';
import { boundedClusters } from './bounded-clusters.js';

/** How many code points each cell gets. */
function cells(text: string): number[] {
  const provider = boundedClusters();
  const lengths: number[] = [];
  let preceding = 0;
  for (const character of text) {
    preceding = provider.charProperties(character.codePointAt(0) ?? 0, preceding);
    if ((preceding & 1) === 1) lengths.push((lengths.pop() ?? 0) + 1);
    else lengths.push(1);
  }
  return lengths;
}

describe('clusters in a terminal', () => {
  it('keeps what people write together', () => {
    expect(cells('ae\u0301x')).toEqual([1, 2, 1]);
    expect(cells('👩‍👩‍👧‍👦!')).toEqual([7, 1]);
  });

  it('parts a cluster without end', () => {
    const lengths = cells(`z${'\u0351'.repeat(100_000)}`);
    expect(Math.max(...lengths)).toBe(12);
    expect(lengths.reduce((sum, length) => sum + length)).toBe(100_001);
  });
});

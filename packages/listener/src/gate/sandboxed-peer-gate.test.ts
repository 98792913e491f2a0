import { describe, expect, it } from 'vitest';
import { type HolderSearch, mayBeOutside } from './sandboxed-peer-gate.js';

describe('the holder of a connecting socket', () => {
  it.each<[HolderSearch, HolderSearch, boolean]>([
    ['found', 'none', true],
    ['hidden', 'none', true],
    ['hidden', 'found', false],
    ['hidden', 'hidden', false],
    ['none', 'found', false],
    ['none', 'hidden', false],
    ['none', 'none', false],
  ])('free %s and confined %s passes: %s', (free, confined, passes) =>
    expect(mayBeOutside(free, confined)).toBe(passes),
  );
});

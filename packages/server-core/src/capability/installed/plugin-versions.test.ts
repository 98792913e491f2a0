import { describe, expect, it } from 'vitest';
import { newestVersion } from './plugin-versions.js';

describe('newestVersion', () => {
  it.each([
    [['1.0.0', '2.0.0', '10.0.0'], '10.0.0'],
    [['1.0.0', '1.0.0-beta', '0.5'], '1.0.0'],
    [['1.0.0-a.2', '1.0.0-a.10', '1.0.0-b'], '1.0.0-b'],
    [['1.0.0-1', '1.0.0-a', '1.0.0-a.1'], '1.0.0-a.1'],
    [['2', '10'], '2'],
    [['1.0.0', 'abc', 'zzz'], 'zzz'],
    [['9.9.9', 'local'], 'local'],
    [[], undefined],
  ])('of %j is %j', (versions, newest) => {
    expect(newestVersion(versions)).toBe(newest);
  });
});

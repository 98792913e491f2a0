import { describe, expect, it } from 'vitest';
import { execYield, profileOf, writeYield } from './limits.js';

describe('the time that a call waits', () => {
  const codex = profileOf('codex');

  it('has a least and a most', () => {
    expect([undefined, 0, 1_000, 99_999].map((ms) => execYield(ms, codex))).toEqual([
      10_000, 250, 1_000, 30_000,
    ]);
    expect([undefined, 0, 1_000, 99_999].map((ms) => writeYield(ms, false, codex))).toEqual([
      250, 250, 1_000, 30_000,
    ]);
    expect([undefined, 10, 6_000, 9_999_999].map((ms) => writeYield(ms, true, codex))).toEqual([
      5_000, 5_000, 6_000, 300_000,
    ]);
  });

  it('is the application’s to change', () => {
    const own = profileOf({ minPollMs: 100 });
    expect(writeYield(0, true, own)).toBe(250);
    expect(own).toMatchObject({ isCodex: false, maxProcesses: 64 });
  });
});

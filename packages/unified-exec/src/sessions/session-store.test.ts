import { describe, expect, it } from 'vitest';
import { SessionStore } from './session-store.js';

describe('the numbers of sessions', () => {
  it('are taken once, and run out with a sentence', () => {
    const store = new SessionStore({ maxProcesses: 64, protectRecent: 8 });
    const ids = new Set(Array.from({ length: 10_000 }, () => store.reserve()));
    expect(ids.size).toBe(10_000);
    expect(Math.min(...ids)).toBeGreaterThanOrEqual(1_000);
    expect(Math.max(...ids)).toBeLessThan(100_000);
    expect(() => store.reserve()).toThrow('10000 calls are under way');
    const [id = 0] = ids;
    store.release(id);
    expect(store.reserve()).toBeGreaterThan(0);
  });
});

import { afterEach, describe, expect, it, vi } from 'vitest';
import { oldNodeComplaint } from './node-version.js';

const on = (versions: Record<string, string> | undefined) =>
  vi.stubGlobal('process', versions === undefined ? undefined : { versions });
afterEach(() => vi.unstubAllGlobals());

describe('oldNodeComplaint', () => {
  it.each(['18.20.8', '9.0.0'])('names Node %s and what is needed', (node) => {
    on({ node });
    expect(oldNodeComplaint()).toMatch(/needs Node 20\.19 or newer/);
    expect(oldNodeComplaint()).toContain(node);
  });

  it.each([
    [{ node: '20.0.0' }],
    [{ node: '26.10.0' }],
    [{ node: '18.20.8', bun: '1.2.0' }],
    [{ node: '18.20.8', deno: '2.0.0' }],
    [{}],
    [undefined],
  ])('has nothing to say about %j', (versions) => {
    on(versions);
    expect(oldNodeComplaint()).toBeUndefined();
  });
});

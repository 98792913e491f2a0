import { describe, expect, it } from 'vitest';
import { EscapeKeys } from './escape-keys.js';

const key = Uint8Array.of(0x1d);

describe('EscapeKeys', () => {
  it('sees three presses within a second, in one block or in several', () => {
    expect(new EscapeKeys().sees(Uint8Array.of(0x61, 0x1d, 0x1d, 0x1d), 0)).toBe(true);
    const keys = new EscapeKeys();
    expect([keys.sees(key, 0), keys.sees(key, 400), keys.sees(key, 1000)]).toEqual([false, false, true]);
  });

  it('starts anew after another key or too long a pause', () => {
    const keys = new EscapeKeys();
    keys.sees(key, 0);
    keys.sees(key, 1);
    keys.sees(Uint8Array.of(0x61), 2);
    expect(keys.sees(key, 3)).toBe(false);
    expect(keys.sees(key, 900)).toBe(false);
    expect(keys.sees(key, 1004)).toBe(false);
    expect(keys.sees(key, 1005)).toBe(true);
  });
});

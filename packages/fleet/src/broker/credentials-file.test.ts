import { describe, expect, it } from 'vitest';
import { whatIsUnsafe } from './credentials-file.js';

describe('a credentials file', () => {
  it.each([
    [0o100600, 7],
    [0o100400, 7],
    [0o100600, 0],
    // As Kubernetes and systemd hand them to a group.
    [0o100440, 0],
    [0o100640, 0],
  ])('of mode %o and uid %d is fine', (mode, uid) => {
    expect(whatIsUnsafe('/c', { mode, uid }, 7)).toBeUndefined();
  });

  it.each([
    [0o100644, 7],
    [0o100640, 7],
    [0o100604, 0],
    [0o100660, 0],
    [0o100602, 7],
  ])('of mode %o and uid %d is refused', (mode, uid) => {
    expect(whatIsUnsafe('/c', { mode, uid }, 7)).toContain('chmod 600 /c');
  });

  it('of somebody else is refused', () => {
    expect(whatIsUnsafe('/c', { mode: 0o100600, uid: 8 }, 7)).toContain('chown 7 /c');
  });
});

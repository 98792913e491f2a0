import { expect, it } from 'vitest';
import { bitsToTake, removalOf } from './keep-modes.js';

it.each([
  ['file', 0o644, ''],
  ['file', 0o755, ''],
  ['file', 0o600, 'g-rw,o-rw'],
  ['file', 0o640, 'o-rw'],
  ['directory', 0o755, ''],
  ['directory', 0o700, 'g-rwx,o-rwx'],
  ['directory', 0o711, 'g-rw,o-rw'],
  ['directory', 0o754, 'o-wx'],
  ['file', undefined, ''],
] as const)('a %s of mode %o loses %s', (kind, mode, removal) => {
  const entry = mode === undefined ? { kind } : { kind, mode };
  expect(removalOf(bitsToTake(entry))).toBe(removal);
});

import { describe, expect, it } from 'vitest';
import { directoriesAbove, unsafeDirectory, unsafeFile } from './secret-file-safety.js';

describe('the file of a secret', () => {
  it.each([0o100600, 0o100400, 0o100700, 0o010600])('may have mode %o', (mode) => {
    expect(unsafeFile('/t', { uid: 7, mode }, 7)).toBeUndefined();
    expect(unsafeFile('/t', { uid: 0, mode }, 7)).toBeUndefined();
  });

  it.each([0o100640, 0o100604, 0o100644, 0o100620, 0o100602, 0o100610, 0o100777])(
    'is refused with mode %o',
    (mode) => expect(unsafeFile('/t', { uid: 7, mode }, 7)).toContain('chmod 600 /t'),
  );

  it('is refused when it belongs to somebody else, for root too', () => {
    expect(unsafeFile('/t', { uid: 8, mode: 0o100600 }, 7)).toContain('uid 8');
    expect(unsafeFile('/t', { uid: 8, mode: 0o100600 }, 0)).toContain('chown 0 /t');
  });
});

describe('a directory above it', () => {
  it.each([
    [0o040755, 7, true],
    [0o040755, 0, true],
    [0o041777, 0, true],
    [0o040777, 0, false],
    [0o040775, 7, false],
    [0o040757, 7, false],
    [0o040700, 8, false],
  ])('of mode %o and uid %d passes: %s', (mode, uid, passes) =>
    expect(unsafeDirectory('/d', { uid, mode }, 7) === undefined).toBe(passes),
  );

  it('is every one up to the root', () =>
    expect(directoriesAbove('/a/b/token')).toEqual(['/a/b', '/a', '/']));
});

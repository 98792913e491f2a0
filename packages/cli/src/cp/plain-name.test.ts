import { describe, expect, it } from 'vitest';
import { isPlainName } from './plain-name.js';

describe('isPlainName', () => {
  it.each(['a', '.hidden', '...', 'with space', '-r', 'ü\n'])('takes %j', (name) => {
    expect(isPlainName(name)).toBe(true);
  });

  it.each(['', '.', '..', '/', 'a/b', '../x', '/etc/passwd', 'a\0b'])('refuses %j', (name) => {
    expect(isPlainName(name)).toBe(false);
  });
});

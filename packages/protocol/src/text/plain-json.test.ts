import { expect, it } from 'vitest';
import { plainJson } from './plain-json.js';

it('means the same as JSON.stringify, and holds nothing that a terminal obeys', () => {
  const hostile = 'a\x7f\x80\x9b31m\x9d0;title\x9c\u200f\u202etxt\u2066\u2028\ufeff"\\\n\x1b]0;x\x07ü😀';
  const text = plainJson({ [hostile]: [hostile, 1, null] });
  expect(JSON.parse(text)).toEqual({ [hostile]: [hostile, 1, null] });
  expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
  expect(text).toContain('ü😀');
});

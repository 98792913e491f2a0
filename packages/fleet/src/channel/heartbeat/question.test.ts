import { Buffer } from 'node:buffer';
import { expect, it } from 'vitest';
import { decodeQuestion, encodeQuestion, isProbe } from './question.js';

it('is read as it was written', () => {
  const question = { isProbe: true, number: 2 ** 32 - 1 };
  expect(decodeQuestion(encodeQuestion(question, 24).subarray(24))).toEqual(question);
  expect(decodeQuestion(encodeQuestion({ ...question, isProbe: false }, 0))?.isProbe).toBe(false);
});

it.each([0, 1, 4, 6])('is none with %i bytes', (length) => {
  const payload = Buffer.alloc(length, 1);
  expect([decodeQuestion(payload), isProbe(payload)]).toEqual([undefined, false]);
});

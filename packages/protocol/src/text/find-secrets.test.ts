import { describe, expect, it } from 'vitest';
import { findSecrets } from './find-secrets.js';

const secretsOf = (text: string): string[] =>
  findSecrets(text).map(({ start, end }) => text.slice(start, end));

describe('secrets in a command line', () => {
  it.each([
    ['token: Bearer abcdef123456', ['Bearer', 'abcdef123456']],
    ['curl -u me:hunter2 https://you:hunter3@x --token=a', ['hunter2', 'hunter3', 'a']],
    ['npm config set //r/:_auth=abc', ['abc']],
    ['git commit --author=me', []],
    ['SECRET=sk-abcdefghijklmnopqrstuv', ['sk-abcdefghijklmnopqrstuv']],
  ])('%s', (text, secrets) => {
    expect(secretsOf(text)).toEqual(secrets);
  });

  it('are found once where two shapes overlap', () => {
    const text = 'x --password="https://me:hunter2@host" y';
    expect(secretsOf(text)).toEqual(['"https://me:hunter2@host"']);
  });
});

it.each(['-', 'a-', 'token-', '-token', 'auth ', '://a:', 'token:    ', 'sk-', 'Bearer ', 'eyJaaaaaaaaaa.'])(
  'a text that is full of %j is looked at once: trying again from every place would take minutes',
  (unit) => {
    const text = unit.repeat(64_000 / unit.length);
    expect([...findSecrets(text)].every(({ end }) => end <= text.length)).toBe(true);
  },
);

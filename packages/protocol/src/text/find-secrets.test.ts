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

import { describe, expect, it } from 'vitest';
import { maskedCommand, maskedText } from './mask-secrets.js';

describe('what looks like a secret', () => {
  it.each([
    ['curl -H "Authorization: Bearer abcdef123456" x', 'curl -H "Authorization: Bearer ***" x'],
    ['GITHUB_TOKEN=ghp_abc make', 'GITHUB_TOKEN=*** make'],
    ['psql postgres://me:hunter2@db/x', 'psql postgres://me:***@db/x'],
    [
      'curl -u me:hunter2 https://x; curl --user you:hunter2',
      'curl -u me:*** https://x; curl --user you:***',
    ],
    ['curl https://x/?access_token=hunter2&page=1', 'curl https://x/?access_token=***&page=1'],
    ['login --password hunter2 --user me', 'login --password *** --user me'],
    ['echo sk-abcdefghijklmnopqrstuv done', 'echo *** done'],
    ['export API_KEY="a b c"; run', 'export API_KEY=***; run'],
  ])('%s', (text, masked) => {
    expect(maskedText(text)).toBe(masked);
  });

  it('is masked as a word of its own behind its flag', () => {
    expect(maskedCommand(['app', '--api-key', 'xyz', '--token', '--verbose', 'in'])).toEqual([
      'app',
      '--api-key',
      '***',
      '--token',
      '--verbose',
      'in',
    ]);
    expect(maskedCommand(['curl', '-u', 'me:hunter2', 'x'])).toEqual(['curl', '-u', 'me:***', 'x']);
    expect(maskedCommand(['docker', 'run', '-u', '1000:1000'])).toEqual(['docker', 'run', '-u', '1000:1000']);
  });

  it('is not found in ordinary commands', () => {
    for (const text of [
      'git status',
      'npm test -- --watch',
      'ls -la /home/me/auth',
      'a=b',
      'grep -rn token src',
    ])
      expect(maskedText(text)).toBe(text);
  });

  it('is looked for in linear time', () => {
    for (const piece of ['a://', '--token', 'token=', 'bearer ', 'sk-', '"', 'auth-'])
      expect(maskedText(piece.repeat(200_000 / piece.length)).length).toBeGreaterThan(0);
  });
});

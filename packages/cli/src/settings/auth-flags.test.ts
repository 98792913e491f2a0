import { describe, expect, it } from 'vitest';
import { type AuthFlags, authenticatorFromFlags } from './auth-flags.js';

describe('authenticatorFromFlags', () => {
  it('is off without flags', async () => {
    expect(await authenticatorFromFlags({})).toBeUndefined();
  });

  it('accepts the right token and no other', async () => {
    // SHA-256 of "secret"
    const wsTokenSha256 = '2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b';
    const check = await authenticatorFromFlags({ wsAuth: 'capability-token', wsTokenSha256 });
    expect(check?.('Bearer secret')).toMatchObject({ ok: true });
    expect(check?.('Bearer Secret')).toEqual({ ok: false, message: 'invalid websocket bearer token' });
  });

  it.each<[string, AuthFlags]>([
    ['websocket auth flags require `--ws-auth', { wsTokenFile: '/x' }],
    ['websocket auth flags require `--ws-auth', { wsMaxClockSkewSeconds: 5 }],
    ['`--ws-token-file` or `--ws-token-sha256` is required', { wsAuth: 'capability-token' }],
    ['are mutually exclusive', { wsAuth: 'capability-token', wsTokenFile: '/x', wsTokenSha256: '0' }],
    ['must be a 64-character hex', { wsAuth: 'capability-token', wsTokenSha256: 'zz' }],
    ['must be an absolute path, not `rel`', { wsAuth: 'capability-token', wsTokenFile: 'rel' }],
    ['require `--ws-auth signed-bearer-token`', { wsAuth: 'capability-token', wsIssuer: 'x' }],
    ['`--ws-shared-secret-file` is required', { wsAuth: 'signed-bearer-token' }],
    ['require `--ws-auth capability-token`', { wsAuth: 'signed-bearer-token', wsTokenFile: '/x' }],
  ])('refuses: %s', async (message, flags) => {
    await expect(authenticatorFromFlags(flags)).rejects.toThrow(message);
  });
});

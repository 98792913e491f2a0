import { createHash, createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { capabilityTokenAuth } from './capability-token.js';
import { readSecretFile } from './secret-file.js';
import { type SignedBearerOptions, signedBearerAuth } from './signed-bearer-token.js';

const TOKEN = 'sekret-token-0123456789';
const SECRET = '0123456789abcdef0123456789abcdef';
const NOW = 1_800_000_000;

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

function jwt(claims: unknown, header: unknown = { alg: 'HS256', typ: 'JWT' }, secret = SECRET): string {
  const signed = `${encode(header)}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', secret).update(signed).digest('base64url')}`;
}

describe('capability token', () => {
  const auth = capabilityTokenAuth({ token: `${TOKEN}\n` });

  it.each([`Bearer ${TOKEN}`, `bearer   ${TOKEN} `, `BEARER ${TOKEN}`])('accepts %j', (header) =>
    expect(auth(header)).toEqual({ ok: true, identity: 'token', seesOthers: true }),
  );

  it.each([
    [undefined, 'missing websocket bearer token'],
    ['', 'invalid authorization header'],
    ['Bearer', 'invalid authorization header'],
    ['Bearer ', 'invalid authorization header'],
    [`Basic ${TOKEN}`, 'invalid authorization header'],
    [`Bearer${TOKEN}`, 'invalid authorization header'],
    [TOKEN, 'invalid authorization header'],
    ['Bearer x', 'invalid websocket bearer token'],
    [`Bearer ${TOKEN.slice(0, -1)}`, 'invalid websocket bearer token'],
    [`Bearer ${TOKEN}0`, 'invalid websocket bearer token'],
    [`Bearer ${TOKEN.toUpperCase()}`, 'invalid websocket bearer token'],
    [`Bearer ${'x'.repeat(1_000_000)}`, 'invalid websocket bearer token'],
  ])('answers %.40j with its sentence', (header, message) =>
    expect(auth(header)).toEqual({ ok: false, message }),
  );

  it('accepts a digest in place of the token, and refuses what is none', () => {
    const sha256 = createHash('sha256').update(TOKEN).digest('hex');
    expect(capabilityTokenAuth({ sha256 })(`Bearer ${TOKEN}`)).toMatchObject({ ok: true });
    expect(capabilityTokenAuth({ sha256: sha256.toUpperCase() })(`Bearer ${TOKEN}`)).toMatchObject({
      ok: true,
    });
    expect(() => capabilityTokenAuth({ sha256: sha256.slice(1) })).toThrow('64 hexadecimal digits');
    expect(() => capabilityTokenAuth({ token: ' \n' })).toThrow('must not be empty');
  });
});

describe('signed bearer token', () => {
  const options: SignedBearerOptions = {
    secret: `${SECRET}\n`,
    issuer: 'iss',
    audience: 'aud',
    now: () => NOW,
  };
  const auth = signedBearerAuth(options);
  const base = { exp: NOW + 1000, iss: 'iss', aud: 'aud' };
  const verdict = (claims: unknown, header?: unknown) => auth(`Bearer ${jwt(claims, header)}`);

  it.each([
    ['a plain one', base],
    ['one audience of several', { ...base, aud: ['x', 'aud'] }],
    ['expired within the skew', { ...base, exp: NOW - 30 }],
    ['not yet valid within the skew', { ...base, nbf: NOW + 30 }],
    ['null for an absent claim', { ...base, nbf: null, sub: null }],
  ])('accepts %s', (_name, claims) =>
    expect(verdict(claims)).toEqual({ ok: true, identity: 'jwt', grants: ['own'] }),
  );

  it('makes the subject the identity', () => {
    expect(verdict({ ...base, sub: 'ci' })).toEqual({ ok: true, identity: 'jwt:ci', grants: ['own'] });
  });

  it.each([
    ['expired', { ...base, exp: NOW - 31 }, 'expired websocket jwt'],
    ['not valid yet', { ...base, nbf: NOW + 31 }, 'websocket jwt is not valid yet'],
    ['another issuer', { ...base, iss: 'z' }, 'websocket jwt issuer mismatch'],
    ['no issuer', { exp: base.exp, aud: 'aud' }, 'websocket jwt issuer mismatch'],
    ['another audience', { ...base, aud: ['z'] }, 'websocket jwt audience mismatch'],
    ['no audience', { exp: base.exp, iss: 'iss' }, 'websocket jwt audience mismatch'],
    ['expired and another issuer', { ...base, exp: 1, iss: 'z' }, 'expired websocket jwt'],
    ['no exp', { iss: 'iss', aud: 'aud' }, 'invalid websocket jwt'],
    ['a fractional exp', { ...base, exp: NOW + 0.5 }, 'invalid websocket jwt'],
    ['exp as text', { ...base, exp: String(NOW + 9) }, 'invalid websocket jwt'],
    ['nbf as text', { ...base, nbf: 'x' }, 'invalid websocket jwt'],
    ['a list of issuers', { ...base, iss: ['iss'] }, 'invalid websocket jwt'],
    ['a number as audience', { ...base, aud: 3 }, 'invalid websocket jwt'],
    ['no object', [base], 'invalid websocket jwt'],
  ])('refuses %s', (_name, claims, message) => expect(verdict(claims)).toEqual({ ok: false, message }));

  it.each([
    ['alg none', { alg: 'none' }],
    ['alg HS512', { alg: 'HS512' }],
    ['lower case alg', { alg: 'hs256' }],
    ['a critical extension', { alg: 'HS256', crit: ['x'] }],
    ['no alg', {}],
  ])('refuses the header with %s', (_name, header) =>
    expect(verdict(base, header)).toEqual({ ok: false, message: 'invalid websocket jwt' }),
  );

  it('refuses an unsigned, cut, padded, altered or foreign token', () => {
    const good = jwt(base);
    const [header, payload, signature] = good.split('.');
    const tokens = [
      `${encode({ alg: 'none' })}.${payload}.`,
      `${header}.${payload}`,
      `${good}=`,
      `${good}.x`,
      `${header}.${encode({ ...base, sub: 'root' })}.${signature}`,
      jwt(base, undefined, `${SECRET}x`),
      'a.b.c',
    ];
    expect(auth(`Bearer ${good}`)).toMatchObject({ ok: true });
    for (const token of tokens)
      expect(auth(`Bearer ${token}`)).toEqual({ ok: false, message: 'invalid websocket jwt' });
  });

  it('does not start with a short secret', () => {
    expect(() => signedBearerAuth({ secret: `${'x'.repeat(31)}\n` })).toThrow('at least 32 bytes');
  });
});

describe('secret file', () => {
  it('must be absolute and readable', async () => {
    await expect(readSecretFile('token', 'websocket token')).rejects.toMatchObject({
      code: 'LISTEN_SECRET_FILE',
    });
    await expect(readSecretFile('/nonexistent/token', 'websocket token')).rejects.toThrow('ENOENT');
  });
});

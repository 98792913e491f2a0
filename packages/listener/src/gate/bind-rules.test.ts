import { describe, expect, it } from 'vitest';
import { type BindPlan, bindRefusal } from './bind-rules.js';

const plan = (fields: Partial<BindPlan>): BindPlan => ({
  host: '127.0.0.1',
  auth: false,
  tls: false,
  insecurePlaintext: false,
  allowOrigins: [],
  ...fields,
});
const code = (fields: Partial<BindPlan>) => bindRefusal(plan(fields))?.code;

describe('bind rules', () => {
  it.each(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1', 'localhost'])(
    'let %s be open to its owner',
    (host) => expect(code({ host })).toBeUndefined(),
  );

  it.each(['0.0.0.0', '::', '192.168.1.2', '::ffff:10.0.0.1', 'fe80::1'])(
    'want auth and TLS on %s',
    (host) => {
      expect(code({ host })).toBe('LISTEN_NEEDS_AUTH');
      expect(code({ host, tls: true, insecurePlaintext: true })).toBe('LISTEN_NEEDS_AUTH');
      expect(code({ host, auth: true })).toBe('LISTEN_NEEDS_TLS');
      expect(code({ host, auth: true, tls: true })).toBeUndefined();
      expect(code({ host, auth: true, insecurePlaintext: true })).toBeUndefined();
    },
  );

  it.each(['example.com', '', '127.0.0.1.evil.example', '[::1]', '127.1'])('refuse the name %j', (host) =>
    expect(code({ host, auth: true, tls: true })).toBe('LISTEN_HOST_NOT_AN_ADDRESS'),
  );

  it('refuse browser origins without auth', () => {
    expect(code({ allowOrigins: ['https://a.example'] })).toBe('LISTEN_ORIGIN_NEEDS_AUTH');
    expect(code({ allowOrigins: ['https://a.example'], auth: true })).toBeUndefined();
  });

  it.each(['https://a.example', 'http://127.0.0.1:8080', 'chrome-extension://abcdef', 'app://local'])(
    'take the origin %s',
    (origin) => expect(code({ allowOrigins: [origin], auth: true })).toBeUndefined(),
  );

  it.each([
    ['https://a.example/', 'browsers send https://a.example'],
    ['https://A.example', 'browsers send https://a.example'],
    ['https://a.example:443', 'browsers send https://a.example'],
    ['https://a.example/page', 'browsers send https://a.example'],
    ['a.example', 'write it as https://HOST'],
    ['*', 'write it as https://HOST'],
    ['null', 'write it as https://HOST'],
    ['https://', 'write it as https://HOST'],
  ])('refuse the origin %s, which would allow nothing', (origin, hint) => {
    const refusal = bindRefusal(plan({ allowOrigins: ['https://b.example', origin], auth: true }));
    expect(refusal).toMatchObject({
      code: 'LISTEN_ORIGIN_INVALID',
      message: `no browser sends the origin \`${origin}\`, so that it would allow nothing: ${hint}`,
    });
  });
});

import { describe, expect, it } from 'vitest';
import { parseBrokerAddress } from './broker-address.js';
import { connectError } from './connect-error.js';

const attempt = (url = 'nats://127.0.0.1:4222') => ({
  address: parseBrokerAddress(url),
  file: undefined,
  credentials: undefined,
  now: 2_000_000,
});
const refusal = Object.assign(new Error('Authorization Violation'), { name: 'AuthorizationError' });
const credentials = { file: new Uint8Array(), key: 'U' };

describe('a broker that is not reached', () => {
  it.each([
    ['connection refused', 'nats://127.0.0.1', 'start the broker first'],
    ['getaddrinfo ENOTFOUND far', 'nats://far', 'no such host'],
    ['timeout', 'nats://127.0.0.1', 'nothing answers there'],
    ['read ECONNRESET', 'nats://far', 'something answers and hangs up'],
    ["server does not support 'tls'", 'nats://far', '--insecure-plaintext'],
    ['self-signed certificate', 'tls://far', '--fleet-ca'],
  ])('for %s', (why, url, advice) => {
    const { code, message } = connectError(new Error(why), attempt(url));
    expect(code).toBe('FLEET_BROKER');
    expect(message).toContain(`${why}; `);
    expect(message).toContain(advice);
  });

  it('because something else answers says so', () => {
    const { message } = connectError(
      new Error('error connecting - node provided an undefined error'),
      attempt(),
    );
    expect(message).toContain(
      'does not speak the protocol of nats-server; is that the port of another program',
    );
  });

  it('because it refuses says what is wrong with the credentials', () => {
    expect(connectError(refusal, attempt())).toMatchObject({ code: 'FLEET_CREDENTIALS' });
    expect(connectError(refusal, attempt()).message).toContain('asks for credentials');
    const given = { ...attempt(), file: 'a.creds', credentials };
    expect(connectError(refusal, given).message).toContain('refuses the credentials a.creds');
    const old = { ...given, credentials: { ...credentials, expiresAt: 1999 } };
    expect(connectError(refusal, old).message).toContain('a.creds expired on 1970-01-01T00:33:19.000Z');
  });
});

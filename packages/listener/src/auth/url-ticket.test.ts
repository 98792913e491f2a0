import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { signUrlTicket, urlTicketAuth } from './url-ticket.js';

const SECRET = '0123456789abcdef0123456789abcdef';
const NOW = 1_800_000_000;

function setUp() {
  let time = NOW;
  const judge = urlTicketAuth({
    secret: SECRET,
    audienceOf: (path) => /^\/e\/(\w+)$/.exec(path)?.[1],
    now: () => time,
  });
  const sign = (more = {}) => signUrlTicket({ secret: SECRET, audience: 'gpu', issuedAt: time, ...more });
  return { judge, sign, pass: (seconds: number) => (time += seconds) };
}

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

function jwt(claims: object): string {
  const signed = `${encode({ alg: 'HS256' })}.${encode(claims)}`;
  return `${signed}.${createHmac('sha256', SECRET).update(signed).digest('base64url')}`;
}

describe('a ticket in an address', () => {
  it('opens once, and leads back afterwards', () => {
    const { judge, sign, pass } = setUp();
    const ticket = sign({ subject: 'ci' });
    const first = judge(ticket, '/e/gpu');
    expect(first).toMatchObject({ ok: true, mayOnlyResume: false });
    expect(first).toHaveProperty('identity', expect.stringMatching(/^ticket:ci:[\w-]{22}$/));
    expect(judge(ticket, '/e/gpu')).toEqual({ ...first, mayOnlyResume: true });
    pass(3600);
    expect(judge(ticket, '/e/gpu')).toEqual({ ...first, mayOnlyResume: true });
    pass(8 * 24 * 3600);
    expect(judge(ticket, '/e/gpu')).toMatchObject({ ok: false });
  });

  it('opens nothing after its minute, and nothing where it is not for', () => {
    const { judge, sign, pass } = setUp();
    const ticket = sign();
    expect(judge(ticket, '/e/cpu')).toEqual({ ok: false, message: 'invalid ticket' });
    expect(judge(ticket, '/elsewhere')).toMatchObject({ ok: false });
    pass(66);
    expect(judge(ticket, '/e/gpu')).toMatchObject({ mayOnlyResume: true });
  });

  it('tells of clocks that differ, once it is known to be genuine', () => {
    const { judge, sign } = setUp();
    expect(judge(sign({ issuedAt: NOW + 5 }), '/e/gpu')).toMatchObject({ ok: true, mayOnlyResume: false });
    expect(judge(sign({ issuedAt: NOW + 6 }), '/e/gpu')).toEqual({
      ok: false,
      message: 'the ticket is from the future: the clock here is behind that of whoever made it',
    });
  });

  it('is another one each time', () => {
    const { judge, sign } = setUp();
    const [first, second] = [judge(sign(), '/e/gpu'), judge(sign(), '/e/gpu')];
    expect(second).toMatchObject({ ok: true, mayOnlyResume: false });
    expect(Reflect.get(second, 'identity')).not.toBe(Reflect.get(first, 'identity'));
  });

  const claims = { aud: 'gpu', iat: NOW, exp: NOW + 60, jti: 'x'.repeat(22) };
  it.each<[string, string]>([
    ['that lives for long', jwt({ ...claims, exp: NOW + 3600 })],
    ['of tomorrow', jwt({ ...claims, iat: NOW + 3600, exp: NOW + 3660 })],
    ['without a time', jwt({ ...claims, iat: undefined })],
    ['without a number', jwt({ ...claims, jti: undefined })],
    ['for several', jwt({ ...claims, aud: ['gpu', 'cpu'] })],
    ['of another secret', signUrlTicket({ secret: `${SECRET}x`, audience: 'gpu', issuedAt: NOW })],
    ['that is none', 'ticket'],
  ])('%s is refused', (_, ticket) => {
    expect(setUp().judge(ticket, '/e/gpu')).toMatchObject({ ok: false });
  });

  it('needs a secret that cannot be guessed', () => {
    expect(() => signUrlTicket({ secret: 'short', audience: 'gpu' })).toThrow('at least 32 bytes');
  });
});

import { describe, expect, it } from 'vitest';
import { requestHeaders, responseHeaders } from './request-headers.js';

const env = { KEY: 'value', EMPTY: '', LINES: 'a\nb', OPENAI_API_KEY: 'secret' };
const one = (name: string, value: string, valueEnvVar?: string | null) =>
  requestHeaders([{ name, value, ...(valueEnvVar === undefined ? {} : { valueEnvVar }) }], env);

describe('requestHeaders', () => {
  it('takes so many characters in all', () => {
    const header = (length: number) => ({ name: 'x', value: 'y'.repeat(length) });
    expect(requestHeaders([header(131_071), header(131_071)], {})).toHaveLength(2);
    expect(() => requestHeaders([header(131_071), header(131_072)], {})).toThrow(
      'more than 262144 characters',
    );
  });

  it('puts the variable behind the value', () => {
    expect(one('Authorization', 'Bearer ', 'KEY')).toEqual([
      { name: 'authorization', value: 'Bearer value', isFromEnvironment: true },
    ]);
  });

  it('keeps repeated headers in their order', () => {
    const headers = [
      { name: 'x', value: '1' },
      { name: 'X', value: '2', valueEnvVar: null },
    ];
    expect(requestHeaders(headers, {}).map(({ name, value }) => [name, value])).toEqual([
      ['x', '1'],
      ['x', '2'],
    ]);
  });

  it.each([
    ['openai_api_key', 'cannot use executor environment variable openai_api_key'],
    ['AWS_SECRET_ACCESS_KEY', 'cannot use'],
    ['CODEX_EXEC_SERVER_TOKEN', 'cannot use'],
    ['CODEX_EXEC_SERVER_NOISE_AUTH_TOKEN', 'cannot use'],
    ['OTHER', 'http/request header x-h requires executor environment variable OTHER'],
    ['toString', 'requires executor environment variable toString'],
    ['EMPTY', 'http/request header x-h requires a non-empty executor environment variable EMPTY'],
    ['LINES', 'http/request header value is invalid for x-h: failed to parse header value'],
  ])('refuses the variable %s', (variable, message) => {
    expect(() => one('x-h', '', variable)).toThrow(message);
  });

  it.each(['', 'a b', 'a:', 'é', 'a\n'])('refuses the name %j', (name) => {
    expect(() => one(name, '')).toThrow('http/request header name is invalid: invalid HTTP header name');
  });

  it.each(['a\r\nb', 'a\0', '\x7f'])('refuses the value %j', (value) => {
    expect(() => one('a', value)).toThrow('http/request header value is invalid for a');
  });

  it('sends text as UTF-8', () => {
    expect(one('a', 'é')[0]?.value).toBe('\u00c3\u00a9');
  });

  it.each(['Content-Length', 'transfer-encoding', 'Connection', 'Upgrade'])('leaves out %s', (name) => {
    expect(one(name, '5')).toEqual([]);
  });
});

describe('responseHeaders', () => {
  it('gives names in lower case, repeated ones too, without values that are no text', () => {
    expect(responseHeaders(['Set-Cookie', 'a', 'Set-Cookie', 'b', 'X', '\u00e9', 'Y', ''])).toEqual([
      { name: 'set-cookie', value: 'a' },
      { name: 'set-cookie', value: 'b' },
      { name: 'y', value: '' },
    ]);
  });
});

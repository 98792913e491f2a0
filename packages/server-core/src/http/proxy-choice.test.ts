import { describe, expect, it } from 'vitest';
import { proxyFor } from './proxy-choice.js';

const choose = (url: string, env: Record<string, string>) => proxyFor(new URL(url), env)?.href;

describe('proxyFor', () => {
  it('goes by the scheme of the request', () => {
    const env = { HTTP_PROXY: 'http://plain:1', https_proxy: 'http://secure:2' };
    expect(choose('http://x/', env)).toBe('http://plain:1/');
    expect(choose('https://x/', env)).toBe('http://secure:2/');
  });

  it('falls back to ALL_PROXY and takes a bare host and port', () => {
    expect(choose('https://x/', { ALL_PROXY: 'any:3' })).toBe('http://any:3/');
  });

  it('prefers the lower-case name unless it is empty', () => {
    expect(choose('http://x/', { http_proxy: 'low:1', HTTP_PROXY: 'up:2' })).toBe('http://low:1/');
    expect(choose('http://x/', { http_proxy: '', HTTP_PROXY: 'up:2' })).toBe('http://up:2/');
  });

  it('does not trust HTTP_PROXY in a CGI program', () => {
    expect(choose('http://x/', { HTTP_PROXY: 'up:2', REQUEST_METHOD: 'GET' })).toBeUndefined();
  });

  it.each([
    ['x.example', 'example', true],
    ['x.example', '.example', true],
    ['notexample', 'example', false],
    ['example', '*.example', true],
    ['anything', '*', true],
    ['127.0.0.1', 'a, 127.0.0.1', true],
    ['127.0.0.9', '127.0.0.0/8', true],
    ['10.0.0.1', '127.0.0.0/8', false],
    ['10.0.0.1', '0.0.1', false],
    ['[::1]', '::1', true],
    ['[fd00::5]', 'fd00::/8', true],
    ['x', '', false],
    ['10.0.0.1', '10.0.0.0/99', false],
  ])('for %s with NO_PROXY=%s', (host, NO_PROXY, bypassed) => {
    const found = choose(`http://${host}/`, { HTTP_PROXY: 'proxy:1', NO_PROXY });
    expect(found).toBe(bypassed ? undefined : 'http://proxy:1/');
  });

  it('refuses to go around a proxy that it cannot use', () => {
    expect(() => choose('http://x/', { HTTP_PROXY: 'socks5://s:1' })).toThrow('socks5');
    expect(() => choose('http://x/', { HTTP_PROXY: 'http://' })).toThrow('not a URL');
  });
});

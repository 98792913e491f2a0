import { describe, expect, it } from 'vitest';
import { DEFAULT_LISTEN_URL, ListenUrlParseError, parseListenUrl } from './listen-url.js';

describe('parseListenUrl', () => {
  it.each([
    [DEFAULT_LISTEN_URL, { transport: 'websocket', host: '127.0.0.1', port: 0 }],
    ['ws://0.0.0.0:65535', { transport: 'websocket', host: '0.0.0.0', port: 65_535 }],
    ['ws://[::1]:8080', { transport: 'websocket', host: '::1', port: 8080 }],
    ['stdio', { transport: 'stdio' }],
    ['stdio://', { transport: 'stdio' }],
  ])('accepts %s', (url, address) => {
    expect(parseListenUrl(url)).toEqual(address);
  });

  it.each([
    'ws://localhost:0',
    'ws://127.0.0.1',
    'ws://127.0.0.1:0/',
    'ws://127.0.0.1:0/x',
    'ws://999.0.0.1:1',
    'ws://127.0.0.1:99999',
    'ws://::1:0',
    'ws://[127.0.0.1]:0',
    'ws://127.0.0.1:-1',
    'ws://user@127.0.0.1:1',
  ])('calls %s invalid', (url) => {
    expect(() => parseListenUrl(url)).toThrow(
      `invalid websocket --listen URL \`${url}\`; expected \`ws://IP:PORT\``,
    );
  });

  it.each(['http://x', 'stdio:', 'STDIO', 'WS://127.0.0.1:0', 'wss://127.0.0.1:0', ''])(
    'calls %j unsupported',
    (url) => {
      expect(() => parseListenUrl(url)).toThrow(
        `unsupported --listen URL \`${url}\`; expected \`ws://IP:PORT\` or \`stdio\``,
      );
    },
  );

  it('says how TLS is switched on', () => {
    expect(() => parseListenUrl('wss://127.0.0.1:0')).toThrow('; --tls-cert and --tls-key switch TLS on');
    expect(() => parseListenUrl('http://x')).not.toThrow('TLS');
  });

  it('throws an error with a code', () => {
    expect(() => parseListenUrl('x')).toThrow(ListenUrlParseError);
    expect(() => parseListenUrl('x')).toThrow(expect.objectContaining({ code: 'LISTEN_URL_UNSUPPORTED' }));
  });
});

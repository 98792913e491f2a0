import { describe, expect, it } from 'vitest';
import { BEARER_PROTOCOL_PREFIX, offeredProtocols, tokenOfProtocol } from './web-socket-protocols.js';

describe('a token as a websocket protocol', () => {
  it.each(['a', 'ab', 'abc', 'header.payload.sig-nature_', 'mit Leerzeichen, Komma; ünïcödé 🔑', '??>>~~'])(
    '%j is a plain word on the way and itself at the end',
    (token) => {
      const [, carrier = ''] = offeredProtocols(token);
      // RFC 6455: the characters of an HTTP token.
      expect(carrier).toMatch(/^[\w.-]+$/);
      expect(tokenOfProtocol(carrier)).toBe(token);
    },
  );

  it('without a token only says what is spoken', () =>
    expect(offeredProtocols()).toEqual(['codex.exec-server.v1']));

  it.each([
    ['nothing', ''],
    ['padding', 'YWI='],
    ['the other alphabet', 'Pz8-Pn5+'],
    ['a length that cannot be', 'YWJjZ'],
    ['stray bits at the end', 'YWJ'],
    ['bytes that are no UTF-8', '_w'],
    ['a character above the alphabet', 'YWŁj'],
    ['white space', 'YW Jj'],
  ])('is refused with %s', (_what, text) =>
    expect(tokenOfProtocol(`${BEARER_PROTOCOL_PREFIX}${text}`)).toBeUndefined(),
  );

  it.each(['codex.exec-server.v1', 'YWJj', 'CODEX.BEARER.YWJj', 'xcodex.bearer.YWJj'])(
    'is not read from %j',
    (protocol) => expect(tokenOfProtocol(protocol)).toBeUndefined(),
  );
});

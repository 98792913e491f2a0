import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { decodeBase64, encodeBase64 } from './base64.js';
import { decodeBase64Plain, encodeBase64Plain, explainBase64 } from './base64-plain.js';

afterEach(() => {
  vi.unstubAllGlobals();
});

const ascii = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));

const REFUSED: [text: string, reason: string][] = [
  ['?', 'Invalid symbol 63, offset 0.'],
  ['YQ', 'Invalid padding'],
  ['YQ=', 'Invalid padding'],
  ['YR==', 'Invalid last symbol 82, offset 1.'],
  ['YWJ=', 'Invalid last symbol 74, offset 2.'],
  ['YQ==\n', 'Invalid symbol 10, offset 4.'],
  ['Y', 'Invalid input length: 1'],
  ['-_==', 'Invalid symbol 45, offset 0.'],
  ['YWJj YWJj', 'Invalid symbol 32, offset 4.'],
  ['YQ==YQ==', 'Invalid symbol 61, offset 2.'],
  ['A===', 'Invalid symbol 61, offset 1.'],
  ['====', 'Invalid symbol 61, offset 0.'],
  ['=AAA', 'Invalid symbol 61, offset 0.'],
  ['YWJjé===', 'Invalid symbol 233, offset 4.'],
  ['YWJ\u0141', 'Invalid symbol 321, offset 3.'],
];

/** Behaves as the language specifies `Uint8Array.fromBase64`: strict, yet blind to whitespace. */
class WithFromBase64 extends Uint8Array {
  static fromBase64(text: string): Uint8Array {
    const bytes = decodeBase64Plain(text.replace(/[\t\n\f\r ]/g, ''));
    if (bytes === undefined) throw new SyntaxError('not base64');
    return bytes;
  }
}

const ROUTES: [name: string, use: () => void][] = [
  ['the runtime Buffer', () => undefined],
  [
    'Uint8Array.fromBase64',
    () => {
      vi.stubGlobal('Buffer', undefined);
      vi.stubGlobal('Uint8Array', WithFromBase64);
    },
  ],
  ['plain code', () => vi.stubGlobal('Buffer', undefined)],
];

describe.each(ROUTES)('strict base64 through %s', (_, use) => {
  it.each(REFUSED)('refuses %j', (text) => {
    use();
    const decoded = decodeBase64(text);
    vi.unstubAllGlobals();
    expect(decoded).toBeUndefined();
  });

  it('decodes the test vectors of RFC 4648', () => {
    use();
    const decoded = ['', 'Zg==', 'Zm8=', 'Zm9v', 'Zm9vYg==', 'Zm9vYmE=', 'Zm9vYmFy'].map(decodeBase64);
    const encoded = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) =>
      encodeBase64(ascii(text)),
    );
    vi.unstubAllGlobals();
    expect(decoded.map((bytes) => bytes && String.fromCharCode(...bytes))).toEqual([
      '',
      'f',
      'fo',
      'foo',
      'foob',
      'fooba',
      'foobar',
    ]);
    expect(encoded).toEqual(['', 'Zg==', 'Zm8=', 'Zm9v', 'Zm9vYg==', 'Zm9vYmE=', 'Zm9vYmFy']);
  });
});

describe('both implementations', () => {
  it('round-trip and agree on every byte string', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const text = encodeBase64(bytes);
        expect(encodeBase64Plain(bytes)).toBe(text);
        expect(Uint8Array.from(decodeBase64(text) ?? [])).toEqual(bytes);
        expect(decodeBase64Plain(text)).toEqual(bytes);
      }),
    );
  });

  it('encode the view, not the memory behind it', () => {
    const memory = ascii('xxfooxx');
    expect(encodeBase64(memory.subarray(2, 5))).toBe('Zm9v');
  });

  it('agree on every damaged text', () => {
    const symbol = fc.constantFrom(
      'A',
      'Q',
      'R',
      '/',
      '+',
      '=',
      '-',
      '_',
      ' ',
      '\n',
      'é',
      '\u0141',
      '\uff41',
      '\0',
    );
    fc.assert(
      fc.property(fc.array(symbol, { maxLength: 12 }), (symbols) => {
        const text = symbols.join('');
        const native = decodeBase64(text);
        const plain = decodeBase64Plain(text);
        expect(native && Uint8Array.from(native)).toEqual(plain);
      }),
      { numRuns: 1500 },
    );
  });
});

it.each(REFUSED)('says why %j is refused', (text, reason) => {
  expect(explainBase64(text)).toBe(reason);
});

import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { decodeBase64, decodeBase64Bytes, encodeBase64 } from './base64.js';
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

describe('long texts, decoded in pieces', () => {
  const PIECE = 64 * 1024;
  const pattern = Uint8Array.from({ length: 2 * PIECE }, (_, index) => (index * 7919) >> 3);
  const bytesOf = (text: string) => decodeBase64Bytes(ascii(text), (length) => new Uint8Array(length + 3));

  it.each([0, 1, 2, 3, 4, 5])(
    'give the bytes at every length around the border of a piece (+%i)',
    (extra) => {
      for (const length of [(PIECE / 4) * 3 - 3 + extra, (PIECE / 2) * 3 - 3 + extra]) {
        const bytes = pattern.subarray(0, length);
        const text = encodeBase64(bytes);
        expect(Buffer.compare(decodeBase64(text) ?? ascii(''), bytes)).toBe(0);
        expect(Buffer.compare(bytesOf(text) ?? ascii(''), bytes)).toBe(0);
      }
    },
  );

  it('are as strict at every place as short ones', () => {
    const whole = encodeBase64(pattern);
    const places = [0, 3, PIECE - 1, PIECE, PIECE + 1, 2 * PIECE - 1, whole.length - 5, whole.length - 1];
    for (const symbol of ['=', '-', '_', ' ', '\n', 'é', '\0', '==', 'A=']) {
      for (const at of places) {
        const text = whole.slice(0, at) + symbol + whole.slice(at + symbol.length);
        // At the very end it may be right.
        if (at >= whole.length - 5 && decodeBase64Plain(text) !== undefined) continue;
        expect(decodeBase64(text), `${JSON.stringify(symbol)} at ${at}`).toBeUndefined();
        expect(bytesOf(text), `${JSON.stringify(symbol)} at ${at}, bytes`).toBeUndefined();
      }
    }
    const wide = `${whole.slice(0, PIECE + 5)}\u0141${whole.slice(PIECE + 6)}`;
    expect(decodeBase64(wide)).toBeUndefined();
  });

  it('agree with plain code when they are short, as text and as bytes', () => {
    const symbol = fc.constantFrom('A', 'Q', 'R', '/', '+', '=', '-', '_', ' ', '\n', 'é', '\0');
    fc.assert(
      fc.property(fc.array(symbol, { maxLength: 12 }), (symbols) => {
        const text = symbols.join('');
        const decoded = bytesOf(text);
        expect(decoded && Uint8Array.from(decoded)).toEqual(decodeBase64Plain(text));
      }),
      { numRuns: 1500 },
    );
  });
});

it.each(REFUSED)('says why %j is refused', (text, reason) => {
  expect(explainBase64(text)).toBe(reason);
});

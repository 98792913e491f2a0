import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MalformedMessageError } from './malformed-message-error.js';
import { parseMessage } from './parse-message.js';

const params = (json: string) => `{"id":1,"method":"x","params":${json}}`;
const refusal = (text: string) => {
  try {
    parseMessage(text);
  } catch (error) {
    if (error instanceof MalformedMessageError) return error.message;
    throw error;
  }
  return undefined;
};

describe('classification goes by the presence of keys', () => {
  it.each([
    ['{"id":1,"method":"m"}', { kind: 'request', id: 1, method: 'm', params: undefined }],
    ['{"id":1,"method":"m","result":5}', { kind: 'request', id: 1, method: 'm', params: undefined }],
    ['{"method":"m","params":null}', { kind: 'notification', method: 'm', params: null }],
    ['{"id":"a","result":null}', { kind: 'response', id: 'a', result: null }],
    ['{"result":1,"error":{},"id":2}', { kind: 'response', id: 2, result: 1 }],
    [
      '{"error":{"code":-32600,"message":"no","data":null},"id":-1}',
      { kind: 'error', id: -1, error: { code: -32600, message: 'no' } },
    ],
    [
      '{"id":1,"method":"m","params":[],"trace":{"traceparent":"00-a","tracestate":null},"jsonrpc":7}',
      { kind: 'request', id: 1, method: 'm', params: [], trace: { traceparent: '00-a', tracestate: null } },
    ],
    ['{"id":1,"method":"m","trace":null}', { kind: 'request', id: 1, method: 'm', params: undefined }],
  ])('%s', (text, expected) => {
    expect(parseMessage(text)).toEqual(expected);
  });

  it.each([
    ['[]', 'expected a JSON-RPC object'],
    ['[{"id":1,"method":"m"}]', 'expected a JSON-RPC object'],
    ['"x"', 'expected a JSON-RPC object'],
    ['{}', 'missing field `error`'],
    ['{"id":1}', 'missing field `error`'],
    ['{"error":{"code":1,"message":"m"}}', 'missing field `id`'],
    ['{"id":7,"error":{"code":1}}', 'missing field `message`'],
    ['{"id":7,"error":{"code":1.5,"message":"m"}}', 'invalid type: number, expected i64'],
    ['{"id":1,"method":2}', 'invalid type: number, expected a string'],
    ['{"method":null}', 'invalid type: null, expected a string'],
    ['{"id":1,"method":"x","trace":5}', 'invalid type: number, expected struct TraceContext'],
    ['{"id":1,"method":"x","trace":{"tracestate":5}}', 'invalid type: number, expected a string'],
    ['', 'the message is not valid JSON'],
    ['{"id":1,"method":"x"} x', 'the message is not valid JSON'],
    [params('01'), 'the message is not valid JSON'],
    [params('"a\tb"'), 'the message is not valid JSON'],
    ['{"id":1,"method":"x","params":"open', 'the message is not valid JSON'],
  ])('refuses %s', (text, message) => {
    expect(refusal(text)).toBe(message);
  });
});

describe('ids', () => {
  it.each([
    ['"\\u0041"', 'A'],
    ['""', ''],
    ['0', 0],
    ['-7', -7],
    ['9007199254740991', 9_007_199_254_740_991],
    ['9007199254740993', 9_007_199_254_740_993n],
    ['9223372036854775807', 9_223_372_036_854_775_807n],
    ['-9223372036854775808', -9_223_372_036_854_775_808n],
  ])('%s is kept exactly', (literal, id) => {
    expect(parseMessage(`{"method":"m","id": ${literal} }`)).toMatchObject({ kind: 'request', id });
  });

  it('reads -0 as 0', () => {
    const message = parseMessage('{"id":-0,"method":"m"}');
    expect(message.kind === 'request' && Object.is(message.id, 0)).toBe(true);
  });

  it.each(['null', 'true', '1.0', '1e0', '1.5', '{}', '[]', '9223372036854775808', '-9223372036854775809'])(
    '%s is malformed',
    (literal) => {
      expect(refusal(`{"id":${literal},"method":"m"}`)).toBe(
        '`id` must be a string or a signed 64-bit integer',
      );
    },
  );

  it('is not taken from a nested object', () => {
    const text = '{"id":9007199254740993,"method":"m","params":{"id":5,"x":[{"id":6}]}}';
    expect(parseMessage(text)).toMatchObject({ id: 9_007_199_254_740_993n });
  });
});

describe('bounds', () => {
  it('takes 127 levels and refuses the 128th', () => {
    const nested = (levels: number) => params('['.repeat(levels) + ']'.repeat(levels));
    expect(refusal(nested(126))).toBeUndefined();
    expect(refusal(nested(127))).toBe('recursion limit exceeded');
    expect(refusal('['.repeat(1_000_000))).toBe('recursion limit exceeded');
  });

  it('takes 262144 values, keys not counted, and refuses one more', () => {
    const array = (length: number) => params(`[${Array(length).fill('1').join(',')}]`);
    expect(refusal(array(262_140))).toBeUndefined();
    expect(refusal(array(262_141))).toBe('JSON-RPC message exceeds the limit of 262144 JSON values');
  });

  it.each([
    ['{"id":1,"method":"x","id":2}', 'id'],
    [params('{"a":1,"\\u0061":2}'), 'a'],
    [params('[{"a":{"b":1}},{"a":{"b":1,"c":2,"b":3}}]'), 'b'],
    [params('{"a\\n\\"":1,"a\\n\\"":2}'), 'a\n"'],
    [params('{"__proto__":1,"__proto__":2}'), '__proto__'],
    [params(`{${Array.from({ length: 40 }, (_, n) => `"k${n}":0`).join(',')},"k3":1}`), 'k3'],
  ])('refuses a duplicate key in %s', (text, key) => {
    expect(refusal(text)).toBe(`duplicate JSON object key \`${key}\``);
  });

  it('takes the same key in different objects', () => {
    expect(refusal(params('[{"a":1},{"a":{"a":[{"a":2}]}}]'))).toBeUndefined();
  });

  it('refuses half a surrogate pair, in values and in keys, but not an escaped backslash before it', () => {
    expect(refusal(params('["\\ud800"]'))).toBe('a string holds a lone surrogate');
    expect(refusal(params('{"\\uDC00x":1}'))).toBe('a string holds a lone surrogate');
    expect(parseMessage(params('"\\\\ud800"'))).toMatchObject({ params: '\\ud800' });
    expect(parseMessage(params('"\\ud83d\\ude00"'))).toMatchObject({ params: '😀' });
  });
});

describe('hostile keys', () => {
  it('leave every prototype alone', () => {
    const message = parseMessage(params('{"__proto__":{"polluted":1},"constructor":{"prototype":{}}}'));
    expect(message.kind).toBe('request');
    if (message.kind !== 'request') return;
    const value = message.params as Record<string, unknown>;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.hasOwn(value, '__proto__')).toBe(true);
    expect(value['polluted']).toBeUndefined();
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('cannot stand in for a member at the top', () => {
    expect(refusal('{"__proto__":{"id":1,"method":"m"}}')).toBe('missing field `error`');
  });
});

describe('duplicate keys', () => {
  /** An object as a list of members, so that it can repeat a key. */
  interface Tree {
    readonly members: readonly (readonly [string, Tree | number])[];
  }
  const key = fc.oneof(fc.constantFrom('a', 'b', '__proto__', '"', '\\', 'id'), fc.string({ maxLength: 2 }));
  const { tree } = fc.letrec<{ tree: Tree }>((tie) => ({
    tree: fc.record({
      members: fc.array(fc.tuple(key, fc.oneof({ maxDepth: 3 }, fc.nat(9), tie('tree'))), { maxLength: 16 }),
    }),
  }));
  const print = ({ members }: Tree): string =>
    `{${members.map(([name, value]) => `${JSON.stringify(name)}:${typeof value === 'number' ? value : print(value)}`).join(', ')}}`;
  const repeats = ({ members }: Tree): boolean =>
    new Set(members.map(([name]) => name)).size < members.length ||
    members.some(([, value]) => typeof value !== 'number' && repeats(value));

  it('are found wherever they are, and nowhere else', () => {
    fc.assert(
      fc.property(tree, (value) => {
        const found = refusal(params(print(value)));
        if (repeats(value)) expect(found).toMatch(/^duplicate JSON object key/);
        else expect(found).toBeUndefined();
      }),
      { numRuns: 200 },
    );
  });
});

describe('agreement with JSON.parse', () => {
  const spaced = fc.tuple(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(0, 1, 2, '\t'));

  it('gives the same params for every JSON value', () => {
    fc.assert(
      fc.property(spaced, ([value, space]) => {
        const json = JSON.stringify(value, null, space);
        expect(parseMessage(params(json))).toMatchObject({ params: JSON.parse(json) });
      }),
    );
  });

  it('gives the same strings, whatever they hold', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'grapheme' })),
        fc.constantFrom('"', '\\', '\\"', '/'),
        (parts, glue) => {
          const text = parts.join(glue);
          expect(parseMessage(params(JSON.stringify({ [text]: text })))).toMatchObject({
            params: JSON.parse(JSON.stringify({ [text]: text })),
          });
        },
      ),
    );
  });

  it('refuses exactly what JSON.parse refuses when a message is cut or damaged', () => {
    const whole = params('{"a":[1,"\\"x\\\\",{"b":null}],"c":"\\u00e9 \\\\\\""}');
    const damage = fc.tuple(
      fc.nat(whole.length),
      fc.nat(4),
      fc.constantFrom('', '"', '\\', '{', ']', ',', '0', ' '),
    );
    fc.assert(
      fc.property(damage, ([at, removed, inserted]) => {
        const text = whole.slice(0, at) + inserted + whole.slice(at + removed);
        let valid = true;
        try {
          JSON.parse(text);
        } catch {
          valid = false;
        }
        if (!valid) expect(refusal(text)).toBeDefined();
      }),
      { numRuns: 400 },
    );
  });
});

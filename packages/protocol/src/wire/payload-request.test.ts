import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { encodeBase64 } from './base64.js';
import { LEAST_PAYLOAD_BYTES } from './long-string.js';
import { MalformedMessageError } from './malformed-message-error.js';
import { parseMessage } from './parse-message.js';
import { parsePayloadRequest } from './payload-request.js';

const OPTIONS = {
  members: new Map([['fs/writeFile', 'dataBase64']]),
  allocate: (length: number) => new Uint8Array(length),
};
const LONG = encodeBase64(Buffer.alloc(LEAST_PAYLOAD_BYTES, 'payload '));
const parse = (text: string) => parsePayloadRequest(Buffer.from(text, 'utf8'), OPTIONS);

/** The message as the ordinary way reads it, with the payload put back as text. */
const restored = (text: string) => {
  const request = parse(text);
  if (request === undefined) return undefined;
  const { payload, params, ...rest } = request;
  return { ...rest, params: { ...(params as object), dataBase64: encodeBase64(payload) } };
};

const ordinary = (text: string) => {
  try {
    return parseMessage(text);
  } catch (error) {
    if (error instanceof MalformedMessageError) return undefined;
    throw error;
  }
};

describe('a request with a long payload', () => {
  it.each([
    `{"id":1,"method":"fs/writeFile","params":{"path":"file:///ä€😀","dataBase64":"${LONG}","sandbox":null}}`,
    `{"id":"a","method":"fs/writeFile","params":{"dataBase64":"${LONG}"}}`,
    ` { "params" : {"sandbox":{"a":[1,{"b":"]"}]} ,\n"dataBase64"\t: "${LONG}" , "x":[] } , "id":9007199254740993,"method":"fs/writeFile"}\n`,
    `{"trace":{"traceparent":"t"},"id":1,"method":"fs/writeFile","params":{"dataBase64":"${LONG}","mode":7}}`,
  ])('is the same as read the ordinary way', (text) => {
    expect(restored(text)).toEqual(parseMessage(text));
  });

  it('leaves the empty string where the payload stood', () => {
    expect(parse(`{"id":1,"method":"fs/writeFile","params":{"dataBase64":"${LONG}"}}`)?.params).toEqual({
      dataBase64: '',
    });
  });
});

describe('left to the ordinary way', () => {
  const request = (params: string, method = 'fs/writeFile') =>
    `{"id":1,"method":"${method}","params":${params}}`;
  const damagedAt = (at: number, symbol: string) => LONG.slice(0, at) + symbol + LONG.slice(at + 1);

  it.each([
    ['a short payload', request('{"dataBase64":"YQ=="}')],
    ['another method', request(`{"dataBase64":"${LONG}"}`, 'fs/readFile')],
    ['a method of the prototype', request(`{"dataBase64":"${LONG}"}`, 'constructor')],
    ['another member', request(`{"path":"${LONG}","dataBase64":""}`)],
    ['a nested member of that name', request(`{"sandbox":{"dataBase64":"${LONG}"},"dataBase64":""}`)],
    ['a long key', request(`{"a":"dataBase64","${LONG}":1}`)],
    ['a key that is spelt with an escape', request(`{"data\\u0042ase64":"${LONG}"}`)],
    ['an array', request(`["dataBase64","${LONG}"]`)],
    [
      'params of another object',
      `{"id":1,"method":"fs/writeFile","trace":{"dataBase64":"${LONG}"},"params":{}}`,
    ],
    ['params in an array', `["params",{"dataBase64":"${LONG}"}]`],
    ['a notification', `{"method":"fs/writeFile","params":{"dataBase64":"${LONG}"}}`],
    ['a duplicate key', request(`{"dataBase64":"${LONG}","dataBase64":""}`)],
    ['a control character', request(`{"dataBase64":"${damagedAt(70_000, '\n')}"}`)],
    ['an escape', request(`{"dataBase64":"${damagedAt(70_000, '\\')}"}`)],
    ['an escaped quote at the end', request(`{"dataBase64":"${LONG}\\""}`)],
    ['the URL alphabet', request(`{"dataBase64":"${damagedAt(70_000, '_')}"}`)],
    ['padding in the middle', request(`{"dataBase64":"${damagedAt(65_535, '=')}"}`)],
    ['a letter that is not ASCII', request(`{"dataBase64":"${damagedAt(70_000, 'ŁŁ')}"}`)],
    ['a payload without an end', `{"id":1,"method":"fs/writeFile","params":{"dataBase64":"${LONG}`],
    ['trailing text', `${request(`{"dataBase64":"${LONG}"}`)} x`],
    ['a missing brace', request(`{"dataBase64":"${LONG}"`)],
    ['a byte order mark', `\ufeff${request(`{"dataBase64":"${LONG}"}`)}`],
  ])('%s', (_, text) => {
    expect(parse(text)).toBeUndefined();
  });

  it('text that is not UTF-8, wherever it stands', () => {
    const head = Buffer.from(
      '{"id":1,"method":"fs/writeFile","params":{"path":"\xff","dataBase64":"',
      'latin1',
    );
    const tail = Buffer.from('","x":"\xc3"}}', 'latin1');
    const payload = Buffer.from(LONG);
    const goodHead = Buffer.from('{"id":1,"method":"fs/writeFile","params":{"dataBase64":"');
    expect(parsePayloadRequest(Buffer.concat([head, payload, Buffer.from('"}}')]), OPTIONS)).toBeUndefined();
    expect(parsePayloadRequest(Buffer.concat([goodHead, payload, tail]), OPTIONS)).toBeUndefined();
  });

  it('everything where the runtime has no Buffer', () => {
    const bytes = Buffer.from(request(`{"dataBase64":"${LONG}"}`));
    vi.stubGlobal('Buffer', undefined);
    const parsed = parsePayloadRequest(bytes, OPTIONS);
    vi.unstubAllGlobals();
    expect(parsed).toBeUndefined();
  });
});

describe('agreement with the ordinary way', () => {
  const place = '<payload>';
  const whole = `{"id":1,"method":"fs/writeFile","params":{"path":"ab","dataBase64":"${place}","x":[{"dataBase64":"${place}"}]}}`;
  const insert = fc.constantFrom('', '"', '\\', '{', '}', '[', ']', ',', ':', ' ', '\n', 'params', place);

  it('holds for every message that is cut or damaged', () => {
    const damage = fc.tuple(fc.nat(whole.length), fc.nat(12), insert);
    let quickOnes = 0;
    fc.assert(
      fc.property(fc.array(damage, { maxLength: 3 }), (damages) => {
        const text = damages
          .reduce(
            (now, [at, removed, inserted]) => now.slice(0, at) + inserted + now.slice(at + removed),
            whole,
          )
          .replaceAll(place, LONG);
        const quick = restored(text);
        if (quick === undefined) return;
        quickOnes++;
        expect(quick).toEqual(ordinary(text));
      }),
      { numRuns: 1000 },
    );
    expect(quickOnes).toBeGreaterThan(50);
  });

  it('holds for every JSON value around the payload', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const outcomes = new Set<boolean>();
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), value), { maxLength: 4 }), value, (members, other) => {
        const params = { ...Object.fromEntries(members), dataBase64: LONG, other };
        const text = JSON.stringify({ method: 'fs/writeFile', params, id: 1 });
        const quick = restored(text);
        outcomes.add(quick !== undefined);
        if (quick !== undefined) expect(quick).toEqual(ordinary(text));
      }),
    );
    expect(outcomes).toContain(true);
  });
});

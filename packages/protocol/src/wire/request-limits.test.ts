import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { materializeBinary, parseBinaryMessage } from './binary-message.js';
import { closingQuote } from './long-string.js';
import { parseMessage } from './parse-message.js';
import { parsePayloadRequest } from './payload-request.js';
import { refuseTooLong } from './request-limits.js';

const MEMBERS = new Map([['fs/writeFile', 'dataBase64']]);
const LIMITS = { maxTextBytes: 1000, maxKeys: 8 };
const LONG = 'あ'.repeat(30_000);
const BASE64 = 'QUJD'.repeat(30_000);
const request = (member: string, text: string, more = '') =>
  `{"id":7,"method":"fs/writeFile","params":{"${member}":"${text}"${more}}}`;
const refused = (text: string) => refuseTooLong(Buffer.from(text), MEMBERS, LIMITS);
const REASON = 'a message may have 1000 bytes besides a payload of strict base64';

describe('a message that is too long to be parsed', () => {
  it.each([
    ['a long string in a member', request('path', LONG)],
    ['a payload that is no base64', request('dataBase64', `${BASE64}!`)],
    ['quotes in the long string', request('path', `${LONG}\\"\\\\`)],
    ['a long string further down', request('path', '', `,"a":[{"b":"${LONG}"}]`)],
    ['an id behind the long string', `{"method":"m","params":{"a":"${LONG}"},"id":7}`],
    ['a long method', `{"id":7,"method":"${LONG}"}`],
    ['an id and space behind everything', `{"method":"m","params":{"a":"${LONG}"} , "id" : 7 } `],
    ['many short parts', request('path', '', `,"a":["${'x'.repeat(999)}","${'x'.repeat(999)}"]`)],
    ['two long strings', request('path', LONG, `,"dataBase64":"${BASE64}"`)],
    ['many keys', request('path', LONG, ',"a":1,"b":2,"c":3,"d":4,"e":5')],
    ['ids of others in its members', `{"params":[{"id":8,"method":"n"}],"id":7,"method":"m","a":"${LONG}"}`],
  ])('is refused under its own id: %s', (_, text) => {
    expect(refused(text)).toMatchObject({ id: 7, reason: expect.stringContaining(REASON) });
  });

  it('says which payload was wrong', () => {
    expect(refused(request('dataBase64', `${BASE64}!`)).reason).toBe(
      `dataBase64 is not strict base64, and ${REASON}`,
    );
    expect(refused(request('path', LONG)).reason).toBe(REASON);
  });

  it.each([
    ['that is a notification', `{"method":"m","params":"${LONG}"}`],
    ['that is no message', `${LONG}"`],
    ['with a long id', `{"id":"${LONG}","method":"m"}`],
    ['that is a response', `{"id":7,"result":"${LONG}"}`],
    ['with an id that is none', `{"id":7.5,"method":"m","params":"${LONG}"}`],
    ['with an id in a text', `{"method":"m","params":"${LONG},\\"id\\":7}`],
    ['with an id further down', `{"method":"m","params":{"a":"${LONG}","id":7}}`],
    ['with two ids before the long string', `{"id":7,"id":8,"method":"m","params":"${LONG}"}`],
    ['with an id on either side of it', `{"id":7,"method":"m","params":"${LONG}","id":8}`],
    ['with two methods', `{"id":7,"method":"m","method":"n","params":"${LONG}"}`],
    ['with a method further down', `{"id":7,"params":{"method":"m","a":"${LONG}"}}`],
  ])('is refused without an id: %s', (_, text) => {
    expect(refused(text)).toEqual({ id: undefined, reason: REASON });
  });

  it('may have a long payload, and not much besides', () => {
    const parse = (more: string) =>
      parsePayloadRequest(Buffer.from(request('dataBase64', BASE64, more)), {
        members: MEMBERS,
        allocate: (length) => new Uint8Array(length),
        limits: LIMITS,
      });
    expect(parse('')?.payload).toHaveLength(90_000);
    expect(parse(`,"a":"${'x'.repeat(900)}"`)).toMatchObject({ id: 7 });
    expect(parse(`,"a":"${'x'.repeat(1000)}"`)).toBeUndefined();
  });

  it('is refused in binary form by the length in its header', () => {
    const binary = (path: string) =>
      materializeBinary([request('path', path, ',"dataBase64":"'), new Uint8Array(9), '"}}']);
    const text = request('path', 'short', ',"dataBase64":');
    const whole = materializeBinary([`${text.slice(0, -2)}"`, new Uint8Array(9), '"}}']);
    expect(parseBinaryMessage(whole, LIMITS).message).toMatchObject({ id: 7 });
    expect(() => parseBinaryMessage(binary('x'.repeat(1000)), LIMITS)).toThrow(
      'the text of a message may have 1000 bytes',
    );
  });
});

it.each([
  ['backslashes', '\\'.repeat(2 * 1024 * 1024)],
  ['escaped quotes', '\\"'.repeat(300 * 1024)],
])('does not count all %s of a message to find the end of a string', (_, text) => {
  const source = Buffer.from(`{"id":7,"method":"m","a":"${text}","b":1}`);
  expect(closingQuote(source, source.indexOf(text))).toEqual({ end: -1, isPlain: false });
  expect(refuseTooLong(source, MEMBERS, LIMITS)).toMatchObject({ id: 7 });
});

it('counts the keys of all objects', () => {
  const text = '{"method":"m","params":{"a":1}}';
  expect(parseMessage(text, 3).kind).toBe('notification');
  expect(() => parseMessage(text, 2)).toThrow('JSON-RPC message exceeds the limit of 2 object keys');
  expect(() => parseMessage('{"method":"m","\\u0061":1}', 4)).toThrow('of 4 object keys');
  expect(parseMessage('{"method":"m","\\u0061":1}', 5).kind).toBe('notification');
});

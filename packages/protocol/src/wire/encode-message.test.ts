import { describe, expect, it } from 'vitest';
import { invalidParams, RpcError } from '../errors/errors.js';
import { MAX_JSON_VALUES } from '../limits.js';
import {
  encodeError,
  encodeNotification,
  encodeRequest,
  encodeResult,
  materialize,
} from './encode-message.js';
import { parseMessage } from './parse-message.js';
import {
  blockResult,
  encodeOutputNotification,
  fileResult,
  readResultWithChunks,
  snapshotResult,
} from './payload-messages.js';

const bytes = (text: string) => Uint8Array.from(text, (character) => character.charCodeAt(0));
const decoded = (message: Parameters<typeof materialize>[0]) => JSON.parse(materialize(message)) as unknown;

describe('plain messages', () => {
  it('refuse a request with half a surrogate pair, which nobody would answer', () => {
    for (const text of ['\ud800', 'x\udc00y', '\\\ud83d']) {
      expect(() => encodeRequest(1, 'fs/readFile', { path: text })).toThrow('a lone surrogate');
      expect(() => encodeRequest(1, 'fs/readFile', { [text]: 1 })).toThrow('a lone surrogate');
    }
    for (const text of ['\u{1f600}', '\\ud800', 'C:\\\\udc00']) {
      expect(decoded(encodeRequest(1, 'fs/readFile', { path: text }))).toMatchObject({
        params: { path: text },
      });
    }
  });

  it('refuse a request with more values than a message may have, which nobody would answer', () => {
    const fits = Array.from({ length: MAX_JSON_VALUES - 6 }, () => '[');
    const message = { processId: 'p', argv: fits };
    expect(decoded(encodeRequest(1, 'process/start', message))).toMatchObject({ params: message });
    const argv = [...fits, 'one more'];
    expect(() => encodeRequest(1, 'process/start', { processId: 'p', argv })).toThrow('262144 JSON values');
    const chunk = new Uint8Array(3);
    expect(() => encodeRequest(1, 'process/write', { processId: 'p', argv, chunk })).toThrow('262144 JSON');
  });

  it('are written in the member order of upstream', () => {
    expect(encodeRequest(1, 'process/read', { processId: 'p' })).toBe(
      '{"id":1,"method":"process/read","params":{"processId":"p"}}',
    );
    expect(encodeNotification('initialized', {})).toBe('{"method":"initialized","params":{}}');
    expect(encodeResult('a"b', { running: true })).toBe('{"id":"a\\"b","result":{"running":true}}');
    expect(encodeError(-1, invalidParams('no'))).toBe('{"error":{"code":-32602,"message":"no"},"id":-1}');
  });

  it('never say undefined', () => {
    expect(encodeRequest(1, 'environment/info')).toBe('{"id":1,"method":"environment/info"}');
    expect(encodeResult(1, undefined)).toBe('{"id":1,"result":null}');
    expect(encodeResult(1, { a: undefined })).toBe('{"id":1,"result":{}}');
  });

  it('echo an id beyond 2^53 exactly', () => {
    const message = parseMessage('{"id":-9223372036854775808,"method":"m"}');
    if (message.kind !== 'request') throw new TypeError('not a request');
    expect(encodeResult(message.id, {})).toBe('{"id":-9223372036854775808,"result":{}}');
  });

  it('carry the data of an error', () => {
    expect(decoded(encodeError(3, new RpcError(-32603, 'm', { data: { a: 1 } })))).toEqual({
      error: { code: -32603, message: 'm', data: { a: 1 } },
      id: 3,
    });
  });
});

describe('payload messages', () => {
  it('hand the bytes on untouched', () => {
    const payload = bytes('hello');
    const message = encodeOutputNotification({ processId: 'a"b', seq: 7, stream: 'stderr' }, payload);
    expect(message).toContain(payload);
    expect(decoded(message)).toEqual({
      method: 'process/output',
      params: { processId: 'a"b', seq: 7, stream: 'stderr', chunk: 'aGVsbG8=' },
    });
  });

  it.each([0, 1, 3])('write a read reply with %i chunks', (count) => {
    const blocks = Array.from({ length: count }, (_, index) => ({
      seq: index + 1,
      stream: 'stdout' as const,
      bytes: bytes(`c${index}`),
    }));
    const state = {
      nextSeq: 4,
      exited: true,
      exitCode: 0,
      closed: false,
      failure: null,
      sandboxDenied: false,
    };
    const result = readResultWithChunks(blocks, { ...state, omitted: { fromSeq: 1, toSeq: 2, bytes: 9 } });
    expect(decoded(encodeResult(2, result))).toEqual({
      id: 2,
      result: {
        chunks: blocks.map(({ seq, stream }, index) => ({
          seq,
          stream,
          chunk: ['YzA=', 'YzE=', 'YzI='][index],
        })),
        ...state,
        omitted: { fromSeq: 1, toSeq: 2, bytes: 9 },
      },
    });
  });

  it('write file, block and snapshot replies', () => {
    expect(decoded(fileResult(bytes('')).segments)).toEqual({ dataBase64: '' });
    expect(decoded(blockResult(bytes('a'), true).segments)).toEqual({ chunk: 'YQ==', eof: true });
    const state = { truncated: false, omittedBytes: 0, exitCode: null, running: true };
    const streams = { stdout: bytes('o'), stderr: bytes('e'), terminal: bytes('') };
    expect(decoded(snapshotResult(streams, state).segments)).toEqual({
      stdout: 'bw==',
      stderr: 'ZQ==',
      terminal: '',
      ...state,
    });
  });
});

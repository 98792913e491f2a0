import { Buffer } from 'node:buffer';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { RESULT_PAYLOADS } from '../method-lists.js';
import { hasPayload, materializeBinary, parseBinaryMessage } from './binary-message.js';
import { encodeNotification, encodeRequest, encodeResult, materialize } from './encode-message.js';
import { MalformedMessageError } from './malformed-message-error.js';
import { parseMessage } from './parse-message.js';
import { payloadsAsText, placePayloads } from './payload.js';
import { encodeOutputNotification, readResultWithChunks, snapshotResult } from './payload-messages.js';
import type { WireMessage } from './wire-message.js';

const BYTES = Buffer.from([0, 1, 2, 0xff, 0x22, 0x5c]);
const output = encodeOutputNotification({ processId: 'p "ü"', seq: 7, stream: 'stdout' }, BYTES);

function binaryOf(message: WireMessage): Uint8Array {
  if (!hasPayload(message)) throw new TypeError('text');
  return materializeBinary(message);
}

/** The same text, made of the binary form. */
function throughBinary(message: WireMessage, paths: readonly string[]): unknown {
  const { message: parsed, payload } = parseBinaryMessage(binaryOf(message));
  const value = parsed.kind === 'response' ? parsed.result : parsed.kind === 'error' ? null : parsed.params;
  expect(placePayloads(value, paths, payload)).toBe(true);
  payloadsAsText(value, paths);
  return parsed;
}

describe('a binary message', () => {
  it('is a header, the text with the length of the payload, and the payload as it is', () => {
    const text =
      '{"method":"process/output","params":{"processId":"p \\"ü\\"","seq":7,"stream":"stdout","chunk":6}}';
    const encoded = Buffer.from(text);
    const header = Buffer.from([1, 0, 0, 0, encoded.length, 0, 0, 0, 6]);
    expect(Buffer.from(binaryOf(output))).toEqual(Buffer.concat([header, encoded, BYTES]));
  });

  it('says the same as the text message, for one payload, several and none', () => {
    const state = { nextSeq: 3, exited: false, exitCode: null, closed: false, failure: null };
    const blocks = [BYTES, new Uint8Array(0)].map((bytes, index) => ({
      seq: index + 1,
      stream: 'stderr' as const,
      bytes,
    }));
    const read = encodeResult(4, readResultWithChunks(blocks, state));
    const snapshot = encodeResult(
      'five',
      snapshotResult(
        { stdout: BYTES, stderr: new Uint8Array(0), terminal: BYTES },
        { truncated: false, omittedBytes: 0, exitCode: null, running: true },
      ),
    );
    const write = encodeRequest(2, 'process/write', { processId: 'p', chunk: BYTES, writeId: 'w' });
    const cases: [WireMessage, readonly string[]][] = [
      [output, ['chunk']],
      [write, ['chunk']],
      [read, RESULT_PAYLOADS.get('process/read') ?? []],
      [snapshot, RESULT_PAYLOADS.get('process/snapshot') ?? []],
    ];
    for (const [message, paths] of cases) {
      expect(throughBinary(message, paths)).toEqual(parseMessage(materialize(message)));
    }
    const empty = encodeResult(1, readResultWithChunks([], state));
    expect([empty, encodeNotification('initialized', {}), 'text'].map(hasPayload)).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('keeps every payload', () => {
    const block = fc.record({
      seq: fc.nat(),
      stream: fc.constantFrom('stdout' as const, 'pty' as const),
      bytes: fc.uint8Array({ maxLength: 300 }),
    });
    fc.assert(
      fc.property(fc.array(block, { minLength: 1, maxLength: 5 }), fc.string(), (blocks, failure) => {
        const state = { nextSeq: 1, exited: true, exitCode: 0, closed: true, failure };
        const message = encodeResult(1, readResultWithChunks(blocks, state));
        expect(throughBinary(message, ['chunks[].chunk'])).toEqual(parseMessage(materialize(message)));
      }),
    );
  });

  it('is refused where its header does not fit it', () => {
    const good = Buffer.from(binaryOf(output));
    const changed = (offset: number, value: number) => {
      const bytes = Buffer.from(good);
      bytes[offset] = value;
      return bytes;
    };
    const bad: [string, Uint8Array, RegExp][] = [
      ['nothing', new Uint8Array(0), /0 bytes has no whole header/],
      ['a short header', good.subarray(0, 8), /8 bytes has no whole header/],
      ['another kind', changed(0, 2), /unknown kind 2/],
      ['JSON', Buffer.from('{"method":"initialized"}'), /unknown kind 123/],
      ['a text that is longer than told', changed(4, good.readUInt8(4) - 1), /its header tells of/],
      ['a text of 4 GiB', changed(1, 0xff), /its header tells of/],
      ['a payload of 4 GiB', changed(5, 0xff), /its header tells of/],
      ['a cut payload', good.subarray(0, -1), /its header tells of/],
      ['a text that is not UTF-8', changed(9, 0xff), /not valid UTF-8/],
      ['a text that is not JSON', changed(9, 0x20), /not valid JSON/],
    ];
    for (const [name, bytes, words] of bad) {
      expect(() => parseBinaryMessage(bytes), name).toThrow(MalformedMessageError);
      expect(() => parseBinaryMessage(bytes), name).toThrow(words);
    }
  });

  it('never throws anything else, whatever the bytes are', () => {
    const mutated = fc.tuple(fc.nat(), fc.integer({ min: 0, max: 255 }));
    fc.assert(
      fc.property(fc.array(mutated, { maxLength: 4 }), fc.uint8Array({ maxLength: 20 }), (changes, tail) => {
        const bytes = Buffer.concat([binaryOf(output), tail]);
        for (const [place, value] of changes) bytes[place % bytes.length] = value;
        try {
          const { message, payload } = parseBinaryMessage(bytes);
          if (message.kind === 'notification') placePayloads(message.params, ['chunk'], payload);
        } catch (error) {
          expect(error).toBeInstanceOf(MalformedMessageError);
        }
      }),
    );
  });
});

describe('the payloads of a value', () => {
  const payload = Buffer.from('abcdef');
  const place = (value: unknown, paths: readonly string[]) => placePayloads(value, paths, payload);

  it('are put where their lengths stand, in the order of the places', () => {
    const value = { b: 2, a: 4, list: [] };
    expect(place(value, ['a', 'b', 'list[].x'])).toBe(true);
    expect([String(value.a), String(value.b)]).toEqual(['abcd', 'ef']);
  });

  it('have to add up, and to be lengths of members that are there', () => {
    const wrong: [unknown, string[]][] = [
      [{ a: 5 }, ['a']],
      [{ a: 7 }, ['a']],
      [{ a: -1, b: 7 }, ['a', 'b']],
      [{ a: 5.5, b: 0.5 }, ['a', 'b']],
      [{ a: '6' }, ['a']],
      [{ a: null }, ['a']],
      [{}, ['a']],
      [{}, ['constructor']],
      [null, ['a']],
      [6, ['a']],
      [{ list: 6 }, ['list[].x']],
      [{ list: [{ x: 6 }, { y: 0 }] }, ['list[].x']],
      [{ list: [null] }, ['list[].x']],
      [{ a: 6 }, []],
    ];
    for (const [value, paths] of wrong) expect(place(value, paths), JSON.stringify(value)).toBe(false);
  });
});

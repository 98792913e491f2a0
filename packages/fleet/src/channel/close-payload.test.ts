import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { decodeClose, encodeClose } from './close-payload.js';

const decoded = (close: unknown) => decodeClose(Buffer.from(JSON.stringify(close)));

describe('a goodbye', () => {
  it.each([1000, 1001, 1013, 3000, 4002, 4999])('is read as it was written, with code %i', (code) => {
    const payload = encodeClose({ code, reason: 'bye', clean: true }, 24).subarray(24);
    expect(decodeClose(payload)).toEqual({ code, reason: 'bye', clean: true });
  });

  it.each([0, -1, 999, 1000.5, 1004, 1005, 1006, 1015, 2999, 5000, 99_999, Number.MAX_VALUE, '1000', null])(
    'has no code where that is %s',
    (code) => {
      expect(decoded({ code, reason: 'bye' })).toEqual({ reason: 'bye', clean: true });
    },
  );

  it.each(['text', 7, null, [], {}])('has no words where it is %j', (close) => {
    expect(decoded(close)).toEqual({ reason: '', clean: true });
  });
});

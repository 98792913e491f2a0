import { describe, expect, it } from 'vitest';
import { closeOfError, closeOfFrame, fitReason } from './close-info.js';

describe('close info', () => {
  it('cuts reasons to 123 bytes at a character border', () => {
    expect(fitReason('short')).toBe('short');
    expect(fitReason('€'.repeat(100))).toBe('€'.repeat(41));
    expect(Buffer.byteLength(fitReason(`a${'🎉'.repeat(50)}`))).toBe(121);
  });

  it('names what was wrong with received frames', () => {
    const error = (code: string) => Object.assign(new Error('text'), { code });
    expect(closeOfError(error('WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')).code).toBe(1009);
    expect(closeOfError(error('WS_ERR_EXPECTED_MASK')).code).toBe(1002);
    expect(closeOfError(error('ECONNRESET'))).toEqual({ code: 1006, reason: 'text', clean: false });
  });

  it('calls a connection without a close frame broken', () => {
    expect(closeOfFrame(1006, '')).toMatchObject({ code: 1006, clean: false });
    expect(closeOfFrame(1000, 'bye')).toEqual({ code: 1000, reason: 'bye', clean: true });
  });
});

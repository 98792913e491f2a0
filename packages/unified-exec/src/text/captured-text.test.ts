import { describe, expect, it } from 'vitest';
import { capturedText, WINDOW_BYTES } from './captured-text.js';

function captured(bytes: Uint8Array, omittedBytes: number) {
  return {
    bytes,
    text: 'the text of the client',
    lines: [],
    totalBytes: bytes.length + omittedBytes,
    omittedBytes,
    gaps: [],
    complete: omittedBytes === 0,
    toJSON: () => ({ text: '', totalBytes: 0, omittedBytes, gaps: [], complete: true }),
  };
}

describe('the text of a window', () => {
  it('is decoded behind the cut in the profile of Codex', () => {
    const bytes = new Uint8Array(WINDOW_BYTES).fill(0x61);
    // The first half ends inside a character, the second begins inside another.
    bytes.set([0xc3], WINDOW_BYTES / 2 - 1);
    bytes.set([0xa9], WINDOW_BYTES / 2);
    const text = capturedText(captured(bytes, 5), true);
    expect(text).toContain('a\ufffd\n... 5 bytes omitted ...\n\ufffda');
    expect(capturedText(captured(bytes, 5), false)).toBe('the text of the client');
  });

  it('keeps a byte order mark', () => {
    expect(capturedText(captured(Uint8Array.from([0xef, 0xbb, 0xbf, 0x61]), 0), true)).toBe('\ufeffa');
  });
});

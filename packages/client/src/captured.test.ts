import { describe, expect, it } from 'vitest';
import { OutputCapture } from './captured.js';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('captured output', () => {
  it('is text, lines and bytes', () => {
    const capture = new OutputCapture(100);
    capture.push(bytes('one\r\ntw'));
    capture.push(bytes('o\n'));
    const captured = capture.snapshot();
    expect(captured.text).toBe('one\r\ntwo\n');
    expect(captured.lines).toEqual(['one', 'two']);
    expect(captured.bytes).toHaveLength(9);
    expect(captured.complete).toBe(true);
    expect(new OutputCapture(10).snapshot().lines).toEqual([]);
  });

  it('shows a marker where something was omitted and cuts at whole characters', () => {
    const capture = new OutputCapture(9);
    capture.push(bytes('aé€x😀éé'));
    const captured = capture.snapshot();
    expect(captured.text).toBe('aé\n... 6 bytes omitted ...\néé');
    expect(captured).toMatchObject({ totalBytes: 15, omittedBytes: 6, complete: false });
  });

  it('counts gaps, also of unknown size', () => {
    const capture = new OutputCapture(100);
    capture.push(bytes('a'));
    capture.gap({ fromSeq: 2, toSeq: 3, bytes: 50, why: 'serverEvicted' });
    capture.gap({ fromSeq: 5, toSeq: 5, bytes: null, why: 'serverEvicted' });
    const captured = capture.snapshot();
    expect(captured).toMatchObject({ totalBytes: 51, omittedBytes: 50, complete: false });
    expect(captured.gaps).toHaveLength(2);
  });
});

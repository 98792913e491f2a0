import { describe, expect, it } from 'vitest';
import { type BodyLimits, originalTokens, outputBody } from './output-body.js';
import { truncateMiddle } from './truncate-middle.js';

const LIMITS: BodyLimits = { maxTokens: 10_000, policy: { tokens: 10_000 }, headerBytes: 100 };
const whole = (text: string) => ({ text, totalBytes: Buffer.byteLength(text), omittedBytes: 0 });

describe('the body of a result', () => {
  it('is the output as long as it fits', () => {
    expect(outputBody(whole('a\nb\n'), LIMITS)).toBe('a\nb\n');
    const fitting = 'x'.repeat(40_000);
    expect(outputBody(whole(fitting), LIMITS)).toBe(fitting);
  });

  it('says what was cut, and how long it was', () => {
    const body = outputBody(whole('1\n2\n3\n4\n5\n6\n7\n8\n9\n'), { ...LIMITS, maxTokens: 2 });
    expect(body).toBe(
      'Warning: truncated output (original token count: 5)\nTotal output lines: 9\n\n1\n2\n…3 tokens truncated…8\n9\n',
    );
    expect(outputBody(whole('abcdefgh'), { ...LIMITS, maxTokens: 0 })).toContain('\n\n…2 tokens truncated…');
  });

  it('names a limit in bytes by what it removed', () => {
    const limits = { ...LIMITS, policy: { bytes: 1_000 }, headerBytes: 10 };
    expect(outputBody(whole('ä'.repeat(600)), limits)).toContain('ä…100 chars truncated…ä');
  });

  it('stays within 1.2 times the policy together with its header, with one marker', () => {
    const limits = { ...LIMITS, policy: { tokens: 500 }, headerBytes: 900 };
    const body = outputBody(whole('y'.repeat(100_000)), limits);
    expect(Buffer.byteLength(body) + 900 + 1).toBeLessThanOrEqual(2_400);
    expect(body.match(/truncated…/g)).toHaveLength(1);
  });

  it('keeps the count of what the window left out exactly once', () => {
    const text = `${'a'.repeat(5_000)}\n... 77 bytes omitted ...\n${'b'.repeat(5_000)}`;
    const output = { text, totalBytes: 10_077, omittedBytes: 77 };
    expect(outputBody(output, LIMITS)).toBe(text);
    const cut = outputBody(output, { ...LIMITS, maxTokens: 100 });
    expect(cut).toMatch(
      /^Warning: truncated output \(original token count: 2520\)\n\.\.\. 77 bytes omitted \.\.\.\n\na/,
    );
    expect(cut.match(/bytes omitted/g)).toHaveLength(1);
  });

  it('counts with the tokenizer that it is given', () => {
    const words = (text: string) => text.split(' ').length;
    const text = Array.from({ length: 100 }, () => 'word').join(' ');
    expect(originalTokens(whole(text), words)).toBe(100);
    expect(originalTokens({ text, totalBytes: 998, omittedBytes: 499 }, words)).toBe(200);
    const body = outputBody(whole(text), { ...LIMITS, maxTokens: 10, tokenizer: words });
    expect(body).toContain('original token count: 100)');
    expect(body).toMatch(/…91 tokens truncated…/);
  });
});

describe('cutting the middle', () => {
  it('removes whole characters only', () => {
    const cut = truncateMiddle('😀😀😀😀', { bytes: 9, unit: 'chars', bytesPerToken: 4 });
    expect(cut).toBe('😀…2 chars truncated…😀');
  });
});

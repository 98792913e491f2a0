import { describe, expect, it } from 'vitest';
import { OutputLog } from '../output/log/output-log.js';
import {
  MAX_RECOVERY_TEXT_BYTES,
  MAX_REPLY_CHUNKS,
  MAX_REPLY_TEXT_BYTES,
  readWindow,
} from './read-window.js';

function logOf(...sizes: number[]): OutputLog {
  const log = new OutputLog({ headBytes: 0 });
  for (const [index, size] of sizes.entries())
    log.append(index % 2 === 0 ? 'stdout' : 'stderr', new Uint8Array(size));
  return log;
}

const seqs = (window: ReturnType<typeof readWindow>) => window.chunks.map(({ seq }) => seq);

describe('readWindow', () => {
  it('returns everything after the cursor and the next number, past exit and close', () => {
    const log = logOf(1, 1, 1);
    log.appendExited({ exitCode: 0, sandboxDenied: false });
    log.appendClosed();
    const window = readWindow(log, { afterSeq: 1, maxBytes: null });
    expect(seqs(window)).toEqual([2, 3]);
    expect(window).toMatchObject({ nextSeq: 6, isPartial: false, omitted: null });
  });

  it('stops before the reader’s budget is exceeded and points behind the last block', () => {
    const log = logOf(10, 10, 10);
    expect(readWindow(log, { afterSeq: 0, maxBytes: 20 })).toMatchObject({ nextSeq: 3, isPartial: false });
    expect(seqs(readWindow(log, { afterSeq: 0, maxBytes: 29 }))).toEqual([1, 2]);
    expect(readWindow(log, { afterSeq: 0, maxBytes: 30 }).nextSeq).toBe(4);
  });

  it('includes the first block even when it is larger than the budget', () => {
    expect(seqs(readWindow(logOf(10, 10), { afterSeq: 0, maxBytes: 0 }))).toEqual([1]);
  });

  it('points behind the last block with a budget, and behind everything without a block', () => {
    const log = logOf(5);
    log.appendExited({ exitCode: 0, sandboxDenied: false });
    expect(readWindow(log, { afterSeq: 0, maxBytes: 100 }).nextSeq).toBe(2);
    expect(readWindow(log, { afterSeq: 1, maxBytes: 100 })).toMatchObject({ chunks: [], nextSeq: 3 });
    expect(readWindow(log, { afterSeq: 99, maxBytes: null })).toMatchObject({ chunks: [], nextSeq: 3 });
  });

  it('bounds the reply itself by its text and says so', () => {
    const log = logOf(...Array.from({ length: 40 }, () => 256 * 1024));
    const window = readWindow(log, { afterSeq: 0, maxBytes: null });
    expect(window.isPartial).toBe(true);
    const text = window.chunks.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length / 3) * 4 + 72, 0);
    expect(text).toBeLessThanOrEqual(MAX_REPLY_TEXT_BYTES);
    expect(text).toBeGreaterThan(MAX_REPLY_TEXT_BYTES - 100_000);
    expect(window.nextSeq).toBe(window.chunks.length + 1);
  });

  it('makes a short reply to a recovery: the rest is pushed', () => {
    const log = logOf(...Array.from({ length: 40 }, () => 20_000));
    const window = readWindow(log, { afterSeq: 3, maxBytes: null, isRecovery: true });
    const text = window.chunks.reduce((sum, { bytes }) => sum + Math.ceil(bytes.length / 3) * 4 + 72, 0);
    expect(text).toBeLessThanOrEqual(MAX_RECOVERY_TEXT_BYTES);
    expect(window).toMatchObject({ isPartial: true, nextSeq: 4 + window.chunks.length });
  });

  it('bounds the number of blocks', () => {
    const log = logOf(...Array.from({ length: MAX_REPLY_CHUNKS + 5 }, () => 1));
    const window = readWindow(log, { afterSeq: 0, maxBytes: null });
    expect(window.chunks.length).toBe(MAX_REPLY_CHUNKS);
    expect(window).toMatchObject({ nextSeq: MAX_REPLY_CHUNKS + 1, isPartial: true });
  });

  it('says what was dropped before the first block', () => {
    const log = logOf(3, 4, 5);
    log.evictOldest();
    log.evictOldest();
    expect(readWindow(log, { afterSeq: 0, maxBytes: null })).toMatchObject({
      omitted: { fromSeq: 1, toSeq: 2, bytes: 7 },
      nextSeq: 4,
    });
  });
});

// A log as files that other tools read: asciicast v3 (times between events, gaps as markers) and JSON lines.

import { gapSentence } from './gap-text.js';
import type { LogEntry } from './log-store.js';
import { withCarriageReturns } from './player.js';

export interface CastHeader {
  readonly cols: number;
  readonly rows: number;
  readonly startedAtMs: number;
  readonly title: string;
}

export function* asciicast(entries: Iterable<LogEntry>, header: CastHeader): Generator<string> {
  const { cols, rows, startedAtMs, title } = header;
  const timestamp = Math.floor(startedAtMs / 1000);
  yield `${JSON.stringify({ version: 3, term: { cols, rows }, timestamp, title })}\n`;
  // A character may be split between two blocks: each stream has a decoder that remembers.
  const decoders = new Map<string, TextDecoder>();
  let last = startedAtMs;
  const line = (atMs: number, code: string, data: string): string => {
    const interval = Math.max(0, atMs - last) / 1000;
    last = Math.max(last, atMs);
    return `${JSON.stringify([interval, code, data])}\n`;
  };
  for (const entry of entries) {
    if (entry.kind === 'output') {
      const decoder = decoders.get(entry.stream) ?? new TextDecoder();
      decoders.set(entry.stream, decoder);
      const bytes = entry.stream === 'pty' ? entry.bytes : withCarriageReturns(entry.bytes);
      yield line(entry.atMs, 'o', decoder.decode(bytes, { stream: true }));
    } else if (entry.kind === 'resize') yield line(entry.atMs, 'r', `${entry.cols}x${entry.rows}`);
    else if (entry.kind === 'gap') yield line(last, 'm', gapSentence(entry));
    else if (entry.kind === 'exited') yield line(entry.atMs, 'x', String(entry.exitCode));
  }
}

/** One event of the log a line; output as base64, because it need not be text. */
export function* logLines(entries: Iterable<LogEntry>): Generator<string> {
  for (const entry of entries) {
    if (entry.kind !== 'output') yield `${JSON.stringify(entry)}\n`;
    else {
      const { bytes, ...rest } = entry;
      let binary = '';
      for (let at = 0; at < bytes.length; at += 4096)
        binary += String.fromCharCode(...bytes.subarray(at, at + 4096));
      yield `${JSON.stringify({ ...rest, chunk: btoa(binary) })}\n`;
    }
  }
}

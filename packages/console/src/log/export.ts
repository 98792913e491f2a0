// A log as files that other tools read: asciicast v3 (times between events, gaps as markers) and JSON lines.

import { AsciicastWriter, type CastHeader } from '@codex/exec-protocol';
import { gapSentence } from './gap-text.js';
import type { LogEntry } from './log-store.js';

export function* asciicast(entries: Iterable<LogEntry>, header: CastHeader): Generator<string> {
  const cast = new AsciicastWriter(header);
  yield cast.header;
  for (const entry of entries) {
    if (entry.kind === 'output') yield cast.output(entry.atMs, entry.stream, entry.bytes);
    else if (entry.kind === 'resize') yield cast.resize(entry.atMs, entry.cols, entry.rows);
    else if (entry.kind === 'gap') yield cast.marker(gapSentence(entry));
    else if (entry.kind === 'exited') yield cast.exit(entry.atMs, entry.exitCode);
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

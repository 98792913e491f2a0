// Output for an observer, from any place of the log, with times and sizes. It looks and changes nothing: no cursor of the
// owner moves, no page of the log is lent, and its bytes are copies.
import type { ObserveReadResult } from '@codex/exec-protocol';
import type { OutputBlock } from '../process/output/log/output-log.js';
import type { TerminalSizes } from '../process/read/terminal-sizes.js';
import type { WatchedLog } from './watch/watched-log.js';

export const DEFAULT_READ_BYTES = 1024 * 1024;
const MAX_CHUNKS = 10_000;

export interface ObservedRead extends Omit<ObserveReadResult, 'chunks'> {
  readonly chunks: readonly OutputBlock[];
}

/** A process that is there, or one that is past. */
export interface ReadableProcess {
  readonly output: { readonly log: WatchedLog };
  readonly sizes: Pick<TerminalSizes, 'at' | 'between'>;
  readonly isClosed: boolean;
}

export function readObserved(
  { output: { log }, sizes, isClosed }: ReadableProcess,
  { afterSeq, maxBytes }: { readonly afterSeq: number; readonly maxBytes: number },
): ObservedRead {
  const chunks: OutputBlock[] = [];
  const endSeq = log.nextSeq;
  const omitted = log.omittedAfter(afterSeq);
  let seq = Math.min(Math.max(afterSeq + 1, log.firstSeq), endSeq);
  for (let bytes = 0; seq < endSeq && chunks.length < MAX_CHUNKS; seq++) {
    const entry = log.glance(seq);
    if (entry?.kind !== 'output') continue;
    bytes += entry.bytes.length;
    if (chunks.length > 0 && bytes > maxBytes) break;
    chunks.push({ ...entry, bytes: entry.bytes.slice() });
  }
  const { exited } = log;
  const first = sizes.at(afterSeq + 1);
  return {
    chunks,
    nextSeq: seq,
    firstSeq: log.firstSeq,
    endSeq,
    exited: exited !== undefined && exited.seq < seq,
    exitCode: exited !== undefined && exited.seq < seq ? exited.exitCode : null,
    closed: isClosed && seq === endSeq,
    sizes: first === undefined ? [] : [first, ...sizes.between(Math.max(first.seq, afterSeq + 1), seq)],
    ...(omitted === null ? {} : { omitted }),
  };
}

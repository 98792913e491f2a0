// What a watch reads: the log of a process, or, when the server lets go of that, a copy of its last part.
import type { OmittedOutput } from '../../process/output/log/evicted-range.js';
import {
  ENTRY_OVERHEAD_BYTES,
  type ExitedEvent,
  type LogEntry,
} from '../../process/output/log/output-log.js';

export interface WatchedLog {
  readonly firstSeq: number;
  readonly nextSeq: number;
  readonly exited: ExitedEvent | undefined;
  /** Bytes of output before the event. */
  offsetAt(seq: number): number;
  costFrom(seq: number): number;
  glance(seq: number): LogEntry | undefined;
  /** What of the events after `seq` can no longer be had. */
  omittedAfter(seq: number): OmittedOutput | null;
}

export function costOf(entry: LogEntry): number {
  return ENTRY_OVERHEAD_BYTES + (entry.kind === 'output' ? entry.bytes.length : 0);
}

/** The oldest event from which on the log costs at most `bytes`; the newest one at least. */
export function seqForTail(log: WatchedLog, bytes: number): number {
  let [low, high] = [log.firstSeq, Math.max(log.firstSeq, log.nextSeq - 1)];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (log.costFrom(middle) <= bytes) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** A part of a log that outlives it: copies, so that nothing of the process is kept alive by it. */
export class LogTail implements WatchedLog {
  readonly firstSeq: number;
  readonly nextSeq: number;
  readonly exited: ExitedEvent | undefined;
  readonly #entries: LogEntry[] = [];
  readonly #offsets: number[] = [];
  readonly #end: number;
  readonly #omitted: OmittedOutput | null;

  constructor(log: WatchedLog, fromSeq: number) {
    this.firstSeq = Math.max(fromSeq, log.firstSeq);
    this.nextSeq = log.nextSeq;
    this.exited = log.exited;
    for (let seq = this.firstSeq; seq < log.nextSeq; seq++) {
      const entry = log.glance(seq);
      if (entry === undefined) continue;
      this.#offsets.push(log.offsetAt(seq));
      this.#entries.push(entry.kind === 'output' ? { ...entry, bytes: entry.bytes.slice() } : entry);
    }
    this.#end = log.offsetAt(log.nextSeq);
    const bytes = this.offsetAt(this.firstSeq);
    this.#omitted = this.firstSeq > 1 ? { fromSeq: 1, toSeq: this.firstSeq - 1, bytes } : null;
  }

  /** Where each of the missing events began is not known: for a reader in their midst, the count covers all of them. */
  omittedAfter(seq: number): OmittedOutput | null {
    return seq < this.firstSeq - 1 ? this.#omitted : null;
  }

  offsetAt(seq: number): number {
    return this.#offsets[Math.max(0, seq - this.firstSeq)] ?? this.#end;
  }

  costFrom(seq: number): number {
    const from = Math.max(seq, this.firstSeq);
    return this.#end - this.offsetAt(from) + Math.max(0, this.nextSeq - from) * ENTRY_OVERHEAD_BYTES;
  }

  glance(seq: number): LogEntry | undefined {
    return this.#entries[seq - this.firstSeq];
  }
}

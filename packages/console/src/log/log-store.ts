// What this page knows of one process's numbered log: output, sizes of the terminal, gaps and the end, in order. It holds
// a bounded part; what it drops itself is a gap like any other, and is counted.

import { signal } from '@preact/signals';

export type GapReason = 'evicted' | 'skipped' | 'page';

export type LogEntry =
  | {
      readonly kind: 'output';
      readonly seq: number;
      readonly atMs: number;
      readonly stream: 'stdout' | 'stderr' | 'pty';
      readonly bytes: Uint8Array;
    }
  | {
      readonly kind: 'resize';
      readonly seq: number;
      readonly atMs: number;
      readonly rows: number;
      readonly cols: number;
    }
  | {
      readonly kind: 'gap';
      readonly seq: number;
      readonly toSeq: number;
      readonly bytes: number;
      readonly why: GapReason;
    }
  | {
      readonly kind: 'exited';
      readonly seq: number;
      readonly atMs: number;
      readonly exitCode: number;
      readonly denied: boolean;
    }
  | { readonly kind: 'closed'; readonly seq: number; readonly atMs: number };

type Gap = Extract<LogEntry, { kind: 'gap' }>;

export interface PlacedGap {
  /** The number of the entry. */
  readonly index: number;
  readonly gap: Gap;
}

export const DEFAULT_STORE_BYTES = 32 * 1024 * 1024;
/** What an entry costs besides its bytes: a command that writes single characters for days has millions of them. */
const ENTRY_BYTES = 200;

export class LogStore {
  /** Counts changes, for views that follow. */
  readonly version = signal(0);
  readonly #maxBytes: number;
  #entries: LogEntry[] = [];
  /** The number of `#entries[0]`: entries keep their numbers when older ones go. */
  #firstIndex = 0;
  #cost = 0;
  #nextSeq = 1;
  #gaps: PlacedGap[] = [];
  #dropped: Gap | undefined;

  constructor(maxBytes = DEFAULT_STORE_BYTES) {
    this.#maxBytes = maxBytes;
  }

  get firstIndex(): number {
    return this.#firstIndex;
  }

  /** One past the newest. */
  get endIndex(): number {
    return this.#firstIndex + this.#entries.length;
  }

  /** What went from the front of the store, if anything did. */
  get dropped(): Gap | undefined {
    return this.#dropped;
  }

  /** Gaps among the entries, in order. */
  get gaps(): readonly PlacedGap[] {
    return this.#gaps;
  }

  /** The number that the next event of the log will have. */
  get nextSeq(): number {
    return this.#nextSeq;
  }

  at(index: number): LogEntry | undefined {
    return this.#entries[index - this.#firstIndex];
  }

  *range(from: number, to: number): Generator<LogEntry> {
    const end = Math.min(to, this.endIndex) - this.#firstIndex;
    for (let at = Math.max(from, this.#firstIndex) - this.#firstIndex; at < end; at++) {
      const entry = this.#entries[at];
      if (entry !== undefined) yield entry;
    }
  }

  /** Entries that are known already are ignored: a watch that was opened again may repeat them. */
  append(entries: readonly LogEntry[]): void {
    for (const entry of entries) {
      const lastSeq = entry.kind === 'gap' ? entry.toSeq : entry.seq;
      if (entry.kind !== 'resize') {
        if (lastSeq < this.#nextSeq) continue;
        this.#nextSeq = lastSeq + 1;
      }
      if (entry.kind === 'gap') this.#gaps.push({ index: this.endIndex, gap: entry });
      this.#entries.push(entry);
      this.#cost += costOf(entry);
    }
    this.#trim();
    this.version.value++;
  }

  /** The index behind the event `seq`: everything up to and including it has happened there. */
  indexAfter(seq: number): number {
    let low = 0;
    let high = this.#entries.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.#entries[middle];
      // A resize counts from before the event of its number.
      if (entry !== undefined && entry.seq <= seq) low = middle + 1;
      else high = middle;
    }
    return this.#firstIndex + low;
  }

  #trim(): void {
    let count = 0;
    while (this.#cost > this.#maxBytes && count < this.#entries.length - 1) {
      const entry = this.#entries[count++];
      if (entry === undefined) break;
      this.#cost -= costOf(entry);
      const lost = entry.kind === 'output' ? entry.bytes.length : entry.kind === 'gap' ? entry.bytes : 0;
      this.#dropped = {
        kind: 'gap',
        seq: this.#dropped?.seq ?? entry.seq,
        toSeq: entry.kind === 'gap' ? entry.toSeq : entry.kind === 'resize' ? entry.seq - 1 : entry.seq,
        bytes: (this.#dropped?.bytes ?? 0) + lost,
        why: 'page',
      };
    }
    if (count === 0) return;
    this.#entries = this.#entries.slice(count);
    this.#firstIndex += count;
    this.#gaps = this.#gaps.filter(({ index }) => index >= this.#firstIndex);
  }
}

function costOf(entry: LogEntry): number {
  return ENTRY_BYTES + (entry.kind === 'output' ? entry.bytes.length : 0);
}

// The published events of one process, for any number of readers, each with a place of its own. Bounded: the oldest
// events are dropped first, and a reader that had not seen them gets a gap with the exact number of bytes.

import { cursorAt, type ProcessEvent } from './process-event.js';

interface LogEntry {
  readonly event: ProcessEvent;
  /** A reader behind this entry has seen everything up to this seq. */
  readonly seq: number;
  /** Output bytes published before this entry. */
  readonly bytesBefore: number;
}

const MAX_ENTRIES = 65_536;

export class EventLog {
  readonly #maxBytes: number;
  #entries: LogEntry[] = [];
  #start = 0;
  #dropped = 0;
  #droppedSeq: number;
  #bytes = 0;
  #lastSeq: number;

  constructor(maxBytes: number, afterSeq = 0) {
    this.#maxBytes = maxBytes;
    this.#lastSeq = afterSeq;
    this.#droppedSeq = afterSeq;
  }

  get lastSeq(): number {
    return this.#lastSeq;
  }

  /** `seq` is left out for events that take none. */
  append(event: ProcessEvent, seq = this.#lastSeq): void {
    this.#lastSeq = seq;
    this.#entries.push({ event, seq, bytesBefore: this.#bytes });
    if (event.type === 'output') this.#bytes += event.bytes.length;
    this.#evict();
  }

  /** A reader of everything behind `afterSeq`, from the first event where it is left out. */
  reader(afterSeq?: number): LogReader {
    if (afterSeq === undefined) return new LogReader(this, { position: 0, seq: 0, bytesBefore: 0 });
    let position = this.#dropped;
    for (let index = this.#start; index < this.#entries.length; index++, position++) {
      const entry = this.#entries[index];
      if (entry !== undefined && entry.seq > afterSeq) {
        return new LogReader(this, { position, seq: afterSeq, bytesBefore: entry.bytesBefore });
      }
    }
    return new LogReader(this, { position, seq: this.#lastSeq, bytesBefore: this.#bytes });
  }

  /** For readers: the entry at a position, or where the oldest one is; undefined at the end. */
  entryAt(position: number): { readonly entry: LogEntry } | { readonly dropped: DroppedPrefix } | undefined {
    if (position < this.#dropped) {
      const bytesBefore = this.#entries[this.#start]?.bytesBefore ?? this.#bytes;
      return { dropped: { position: this.#dropped, throughSeq: this.#droppedSeq, bytesBefore } };
    }
    const entry = this.#entries[this.#start + position - this.#dropped];
    return entry === undefined ? undefined : { entry };
  }

  #evict(): void {
    const first = (): LogEntry | undefined => this.#entries[this.#start];
    for (let oldest = first(); oldest !== undefined; oldest = first()) {
      const tooMany = this.#entries.length - this.#start > MAX_ENTRIES;
      if (!tooMany && this.#bytes - oldest.bytesBefore <= this.#maxBytes) break;
      // The newest event always stays, or its readers would never see it.
      if (this.#start === this.#entries.length - 1) break;
      this.#start++;
      this.#dropped++;
      this.#droppedSeq = oldest.seq;
    }
    if (this.#start > 1024 && this.#start * 2 > this.#entries.length) {
      this.#entries = this.#entries.slice(this.#start);
      this.#start = 0;
    }
  }
}

interface DroppedPrefix {
  readonly position: number;
  readonly throughSeq: number;
  readonly bytesBefore: number;
}

/** A place in the log. Reading does not touch the log or other readers. */
export class LogReader {
  readonly #log: EventLog;
  #position: number;
  #seq: number;
  #bytes: number;

  constructor(log: EventLog, place: { position: number; seq: number; bytesBefore: number }) {
    this.#log = log;
    this.#position = place.position;
    this.#seq = place.seq;
    this.#bytes = place.bytesBefore;
  }

  /** Everything up to this seq was read. */
  get seq(): number {
    return this.#seq;
  }

  next(): ProcessEvent | undefined {
    const found = this.#log.entryAt(this.#position);
    if (found === undefined) return undefined;
    if ('dropped' in found) return this.#skip(found.dropped);
    const { event, seq, bytesBefore } = found.entry;
    this.#position++;
    this.#seq = Math.max(this.#seq, seq);
    this.#bytes = bytesBefore + (event.type === 'output' ? event.bytes.length : 0);
    return event;
  }

  clone(): LogReader {
    return new LogReader(this.#log, { position: this.#position, seq: this.#seq, bytesBefore: this.#bytes });
  }

  #skip({ position, throughSeq, bytesBefore }: DroppedPrefix): ProcessEvent {
    const gap = {
      fromSeq: this.#seq + 1,
      toSeq: throughSeq,
      bytes: bytesBefore - this.#bytes,
      why: 'clientBudget',
    } as const;
    this.#position = position;
    this.#seq = throughSeq;
    this.#bytes = bytesBefore;
    return { type: 'gap', gap, cursor: cursorAt(throughSeq) };
  }
}

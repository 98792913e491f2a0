// What happened on this server, numbered, in a ring: so many events or so many bytes, whichever is less. Observers, the
// audit log and the metrics read it; nothing waits for them.
import type { JournalEvent, OmittedEvents } from '@codex/exec-protocol';

type New<E> = E extends unknown ? Omit<E, 'seq' | 'atMs'> : never;

/** An event before it has its number and its time. */
export type NewEvent = New<JournalEvent>;

export interface JournalLimits {
  readonly maxEvents: number;
  readonly maxBytes: number;
}

export interface JournalPage {
  readonly events: readonly JournalEvent[];
  readonly nextSeq: number;
  readonly omitted: OmittedEvents | null;
}

/** What an event costs besides its texts. */
const EVENT_BYTES = 200;

export class Journal {
  readonly #limits: JournalLimits;
  readonly #now: () => number;
  /** Dropped events leave an empty place at the front until there are many. */
  #events: (JournalEvent | undefined)[] = [];
  #sizes: number[] = [];
  #head = 0;
  #bytes = 0;
  #nextSeq = 1;
  readonly #listeners = new Set<(event: JournalEvent) => void>();

  constructor(limits: JournalLimits, now: () => number = Date.now) {
    this.#limits = limits;
    this.#now = now;
  }

  get nextSeq(): number {
    return this.#nextSeq;
  }

  get firstSeq(): number {
    return this.#nextSeq - (this.#events.length - this.#head);
  }

  /** The event is the journal's from here on: a copy of each would take longer than all the rest, as no two kinds have one shape. */
  record(event: NewEvent): void {
    const bytes = EVENT_BYTES + textBytes(event);
    const numbered: JournalEvent = Object.assign(event, { seq: this.#nextSeq++, atMs: this.#now() });
    this.#events.push(numbered);
    this.#sizes.push(bytes);
    this.#bytes += bytes;
    this.#dropOldest();
    for (const listener of this.#listeners) listener(numbered);
  }

  /** Listeners do not throw and return at once. */
  listen(listener: (event: JournalEvent) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Events after `afterSeq` that `isWanted`, at most so many. */
  read(
    afterSeq: number,
    maxEvents: number,
    isWanted: (event: JournalEvent) => boolean = () => true,
  ): JournalPage {
    const { firstSeq } = this;
    const omitted =
      afterSeq + 1 < firstSeq ? { fromSeq: Math.max(1, afterSeq + 1), toSeq: firstSeq - 1 } : null;
    const events: JournalEvent[] = [];
    let seq = Math.max(afterSeq + 1, firstSeq);
    for (; seq < this.#nextSeq && events.length < maxEvents; seq++) {
      const event = this.#events[this.#head + seq - firstSeq];
      if (event !== undefined && isWanted(event)) events.push(event);
    }
    return { events, nextSeq: Math.min(Math.max(seq, 1), this.#nextSeq), omitted };
  }

  #dropOldest(): void {
    const { maxEvents, maxBytes } = this.#limits;
    while (this.#events.length - this.#head > maxEvents || this.#bytes > maxBytes) {
      if (this.#head >= this.#events.length) return;
      this.#bytes -= this.#sizes[this.#head] ?? 0;
      this.#events[this.#head++] = undefined;
    }
    if (this.#head < 1024 || this.#head * 2 < this.#events.length) return;
    this.#events = this.#events.slice(this.#head);
    this.#sizes = this.#sizes.slice(this.#head);
    this.#head = 0;
  }
}

/** Two bytes a character at most; events hold texts, lists of texts, and small objects of both. */
function textBytes(value: unknown): number {
  if (typeof value === 'string') return 2 * value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let bytes = 16;
  for (const part of Object.values(value)) bytes += textBytes(part);
  return bytes;
}

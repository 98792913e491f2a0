// One stream of events for any number of readers, each from the moment it asked. A reader that is too slow loses output
// deltas first, and is told how many bytes. One that does not read at all loses everything behind what is kept for it,
// and is told how many events: whatever a model does, a forgotten reader takes a bounded amount of memory.

import { EventQueue } from './event-queue.js';
import type { UnifiedExecEvent } from './unified-exec-event.js';

/** What is kept of output for a reader that does not read. */
const DELTA_BYTES = 16 * 1024 * 1024;
/** The same for everything together. */
const READER_BYTES = 64 * 1024 * 1024;

export class EventHub {
  readonly #readers = new Set<EventReader>();
  #isClosed = false;

  push(event: UnifiedExecEvent): void {
    for (const reader of this.#readers) reader.push(event);
  }

  /** Ends when the tool is disposed of, the signal aborts, or the loop is left. */
  events({ signal }: { readonly signal?: AbortSignal } = {}): AsyncIterableIterator<UnifiedExecEvent> {
    const end = (): void => reader.end();
    const reader = new EventReader(() => {
      this.#readers.delete(reader);
      signal?.removeEventListener('abort', end);
    });
    if (this.#isClosed || signal?.aborted === true) reader.end();
    else {
      this.#readers.add(reader);
      signal?.addEventListener('abort', end, { once: true });
    }
    return reader;
  }

  close(): void {
    this.#isClosed = true;
    for (const reader of [...this.#readers]) reader.end();
  }
}

class EventReader implements AsyncIterableIterator<UnifiedExecEvent> {
  readonly #left: () => void;
  /** Bytes of deltas, by call. */
  readonly #lost = new Map<string, number>();
  readonly #queue = new EventQueue();
  /** Events that nothing was kept of, since the queue was full. */
  #dropped = 0;
  #hasEnded = false;
  /** Several may wait at once, each for an event of its own. */
  #waiting: (() => void)[] = [];

  constructor(left: () => void) {
    this.#left = left;
  }

  push(event: UnifiedExecEvent): void {
    if (this.#dropped > 0 || this.#queue.bytes > READER_BYTES) {
      this.#dropped++;
      return;
    }
    if (event.type === 'delta') {
      const lost = this.#lost.get(event.callId);
      if (lost !== undefined || this.#queue.deltaBytes + event.bytes.length > DELTA_BYTES) {
        this.#lost.set(event.callId, (lost ?? 0) + event.bytes.length);
        return;
      }
    }
    if (event.type === 'end') this.#tellLoss(event.callId);
    this.#queue.push(event);
    this.#wake();
  }

  end(): void {
    this.#hasEnded = true;
    this.#left();
    this.#wake();
  }

  async next(): Promise<IteratorResult<UnifiedExecEvent, undefined>> {
    for (;;) {
      const event = this.#queue.shift();
      if (event !== undefined) {
        if (event.type === 'delta' && this.#queue.deltaBytes === 0) this.#tellLosses();
        return { done: false, value: event };
      }
      if (this.#dropped > 0) return { done: false, value: this.#tellDropped() };
      if (this.#hasEnded) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve);
      });
    }
  }

  return(): Promise<IteratorResult<UnifiedExecEvent, undefined>> {
    this.#queue.clear();
    this.#dropped = 0;
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #wake(): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const wake of waiting) wake();
  }

  #tellDropped(): UnifiedExecEvent {
    const events = this.#dropped;
    this.#dropped = 0;
    return { type: 'eventsLost', events };
  }

  #tellLosses(): void {
    for (const callId of [...this.#lost.keys()]) this.#tellLoss(callId);
  }

  #tellLoss(callId: string): void {
    const bytes = this.#lost.get(callId);
    if (bytes === undefined) return;
    this.#lost.delete(callId);
    this.#queue.push({ type: 'gap', callId, bytes, why: 'slowReader' });
  }
}

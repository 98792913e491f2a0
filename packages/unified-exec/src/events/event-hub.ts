// One stream of events for any number of readers, each from the moment it asked. A reader that is too slow loses output
// deltas and nothing else, and is told how many bytes.

import type { UnifiedExecEvent } from './unified-exec-event.js';

/** What is kept of output for a reader that does not read. */
const READER_BYTES = 16 * 1024 * 1024;

export class EventHub {
  readonly #readers = new Set<EventReader>();
  #isClosed = false;

  push(event: UnifiedExecEvent): void {
    for (const reader of this.#readers) reader.push(event);
  }

  /** Ends when the tool is disposed of, the signal aborts, or the loop is left. */
  events({ signal }: { readonly signal?: AbortSignal } = {}): AsyncIterableIterator<UnifiedExecEvent> {
    const reader = new EventReader(() => this.#readers.delete(reader));
    if (this.#isClosed || signal?.aborted === true) reader.end();
    else {
      this.#readers.add(reader);
      signal?.addEventListener('abort', () => reader.end(), { once: true });
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
  readonly #lost = new Map<string, number>();
  #queue: UnifiedExecEvent[] = [];
  #bytes = 0;
  #hasEnded = false;
  #wake = (): void => {};

  constructor(left: () => void) {
    this.#left = left;
  }

  push(event: UnifiedExecEvent): void {
    if (event.type === 'delta') {
      const lost = this.#lost.get(event.callId);
      if (lost !== undefined || this.#bytes + event.bytes.length > READER_BYTES) {
        this.#lost.set(event.callId, (lost ?? 0) + event.bytes.length);
        return;
      }
      this.#bytes += event.bytes.length;
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
        if (event.type === 'delta') this.#taken(event.bytes.length);
        return { done: false, value: event };
      }
      if (this.#hasEnded) return { done: true, value: undefined };
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  return(): Promise<IteratorResult<UnifiedExecEvent, undefined>> {
    this.#queue = [];
    this.end();
    return Promise.resolve({ done: true, value: undefined });
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  #taken(bytes: number): void {
    this.#bytes -= bytes;
    if (this.#bytes === 0) for (const callId of [...this.#lost.keys()]) this.#tellLoss(callId);
  }

  #tellLoss(callId: string): void {
    const bytes = this.#lost.get(callId);
    if (bytes === undefined) return;
    this.#lost.delete(callId);
    this.#queue.push({ type: 'gap', callId, bytes, why: 'slowReader' });
  }
}

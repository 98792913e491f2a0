// Pulls bulk output instead of queueing it: ready sources are asked round-robin, one message each, while the transport
// has room.

import type { WireMessage } from '@codex/exec-protocol';

export interface BulkSource {
  /** The next message, or undefined when nothing is ready until `wake()`. */
  next(): WireMessage | undefined;
}

export interface BulkHandle {
  /** Something is ready. Cheap, may be called any number of times; `next()` is not called from inside it. */
  wake(): void;
  remove(): void;
  /** How far the connection is, in bytes of all its messages. Absent where the transport cannot tell. */
  readonly progress?: BulkProgress | undefined;
}

export interface BulkProgress {
  /** Everything that `next()` has returned before this call of it is within these. */
  readonly sentBytes: number;
  /** What the remote end is known to have read; undefined when it does not tell. */
  readonly readBytes: number | undefined;
}

export interface BulkSink {
  readonly progress?: BulkProgress | undefined;
  hasRoom(): boolean;
  send(message: WireMessage): void;
  /** A source threw: it is removed. */
  failed(error: unknown): void;
}

interface SourceEntry {
  readonly source: BulkSource;
  isQueued: boolean;
  isRemoved: boolean;
  following: SourceEntry | undefined;
}

// Many tiny messages must not hold the event loop for a whole mark's worth of bytes.
const MAX_MESSAGES_PER_TURN = 512;

export class BulkScheduler {
  readonly #sink: BulkSink;
  #head: SourceEntry | undefined;
  #tail: SourceEntry | undefined;
  #isScheduled = false;
  #isClosed = false;

  constructor(sink: BulkSink) {
    this.#sink = sink;
  }

  /** A new source counts as ready. */
  add(source: BulkSource): BulkHandle {
    const entry: SourceEntry = { source, isQueued: false, isRemoved: false, following: undefined };
    const wake = (): void => {
      if (entry.isQueued || entry.isRemoved || this.#isClosed) return;
      this.#enqueue(entry);
      this.#schedule();
    };
    wake();
    return {
      wake,
      remove: () => {
        entry.isRemoved = true;
      },
      progress: this.#sink.progress,
    };
  }

  /** Asks ready sources until the transport is full, nothing is ready, or the turn's share is used up. */
  pump(): void {
    for (let sent = 0; sent < MAX_MESSAGES_PER_TURN && this.#head !== undefined && this.#sink.hasRoom(); ) {
      const entry = this.#dequeue();
      const message = entry === undefined ? undefined : this.#ask(entry);
      if (entry === undefined || message === undefined) continue;
      if (!entry.isQueued) this.#enqueue(entry);
      this.#sink.send(message);
      sent++;
    }
  }

  close(): void {
    this.#isClosed = true;
    this.#head = undefined;
    this.#tail = undefined;
  }

  #ask(entry: SourceEntry): WireMessage | undefined {
    try {
      return entry.source.next();
    } catch (error) {
      entry.isRemoved = true;
      this.#sink.failed(error);
      return undefined;
    }
  }

  // A microtask joins the wakes of one turn and keeps `wake()` free of re-entrance.
  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.pump();
    });
  }

  #enqueue(entry: SourceEntry): void {
    if (this.#isClosed) return;
    entry.isQueued = true;
    entry.following = undefined;
    if (this.#tail === undefined) this.#head = entry;
    else this.#tail.following = entry;
    this.#tail = entry;
  }

  #dequeue(): SourceEntry | undefined {
    const entry = this.#head;
    if (entry === undefined) return undefined;
    this.#head = entry.following;
    if (this.#head === undefined) this.#tail = undefined;
    entry.following = undefined;
    entry.isQueued = false;
    return entry.isRemoved ? undefined : entry;
  }
}

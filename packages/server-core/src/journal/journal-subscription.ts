// Sends the journal on as it grows: a cursor on the ring that the connection pulls from. Who is slow finds events gone,
// and is told which numbers.
import { encodeNotification, type JournalEvent, type WireMessage } from '@codex/exec-protocol';
import type { BulkHandle, BulkSource, RpcPeer } from '@codex/exec-rpc';
import type { Journal } from './journal.js';

export interface JournalSubscriptionOptions {
  readonly journal: Journal;
  readonly peer: RpcPeer;
  readonly afterSeq: number;
  readonly isWanted: (event: JournalEvent) => boolean;
}

const MAX_EVENTS_PER_MESSAGE = 64;

export class JournalSubscription implements BulkSource {
  readonly #options: JournalSubscriptionOptions;
  readonly #handle: BulkHandle;
  readonly #stopListening: () => void;
  #afterSeq: number;

  constructor(options: JournalSubscriptionOptions) {
    this.#options = options;
    this.#afterSeq = options.afterSeq;
    this.#handle = options.peer.addBulkSource(this);
    this.#stopListening = options.journal.listen(() => this.#handle.wake());
  }

  next(): WireMessage | undefined {
    const { journal, isWanted } = this.#options;
    const { events, nextSeq, omitted } = journal.read(this.#afterSeq, MAX_EVENTS_PER_MESSAGE, isWanted);
    this.#afterSeq = Math.max(this.#afterSeq, nextSeq - 1);
    if (events.length === 0 && omitted === null) return undefined;
    return encodeNotification('journal/events', { events, omitted });
  }

  close(): void {
    this.#stopListening();
    this.#handle.remove();
  }
}

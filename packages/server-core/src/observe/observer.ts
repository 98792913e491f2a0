// One connection that watches: its watches, its subscription, and what it is told of approvals.
import type { Approval, Clock, JournalEvent } from '@codex/exec-protocol';
import { encodeNotification, invalidRequest, type WireMessage } from '@codex/exec-protocol';
import type { BulkHandle, RpcPeer } from '@codex/exec-rpc';
import type { Journal } from '../journal/journal.js';
import { JournalSubscription } from '../journal/journal-subscription.js';
import { ChangeSignal } from '../process/read/change-signal.js';
import type { Access } from './access.js';
import type { ObserveLimits } from './observe-limits.js';
import { Watch, type WatchOptions } from './watch/watch.js';

export interface ObserverOptions {
  readonly id: number;
  readonly access: Access;
  readonly clientName: string;
  readonly peer: RpcPeer;
  /** Aborted when the connection ends. */
  readonly signal: AbortSignal;
  readonly limits: ObserveLimits;
  readonly clock: Clock;
  readonly journal: Journal;
}

/** Reads of the journal beyond it make the oldest answer early, as if its time was up. */
const MAX_WAITING_READS = 32;

export class Observer {
  readonly id: number;
  readonly access: Access;
  readonly clientName: string;
  readonly signal: AbortSignal;
  /** What its waiting reads of the journal wait for. */
  readonly journalChanges: ChangeSignal;
  readonly #options: ObserverOptions;
  readonly #stopListening: () => void;
  readonly #watches = new Map<string, Watch>();
  #subscription: JournalSubscription | undefined;
  /** By session and question: of each, only how it stands now is worth telling. */
  readonly #approvals = new Map<string, Approval>();
  #approvalSource: BulkHandle | undefined;

  constructor(options: ObserverOptions) {
    this.id = options.id;
    this.access = options.access;
    this.clientName = options.clientName;
    this.signal = options.signal;
    this.#options = options;
    this.journalChanges = new ChangeSignal(options.clock, { maxWaiting: MAX_WAITING_READS });
    this.#stopListening = options.journal.listen(() => this.journalChanges.notify());
  }

  get watches(): readonly Watch[] {
    return [...this.#watches.values()];
  }

  open(
    options: Pick<WatchOptions, 'name' | 'process' | 'fromSeq' | 'mode' | 'windowBytes' | 'onEnd'>,
  ): Watch {
    const { name } = options;
    if (this.#watches.has(name)) throw invalidRequest(`the watch ${name} exists already`);
    const { maxWatchesPerObserver: most } = this.#options.limits;
    if (this.#watches.size >= most) {
      throw invalidRequest(`too many watches: the limit (maxWatchesPerObserver) is ${most}; close one`);
    }
    const watch = new Watch({
      ...options,
      peer: this.#options.peer,
      clock: this.#options.clock,
      onEnd: (ended) => {
        if (this.#watches.get(name) === ended) this.#watches.delete(name);
        options.onEnd(ended);
      },
    });
    this.#watches.set(name, watch);
    return watch;
  }

  watch(name: string): Watch | undefined {
    return this.#watches.get(name);
  }

  subscribe(afterSeq: number, isWanted: (event: JournalEvent) => boolean): void {
    const { journal, peer } = this.#options;
    this.#subscription?.close();
    this.#subscription = new JournalSubscription({ journal, peer, afterSeq, isWanted });
  }

  unsubscribe(): void {
    this.#subscription?.close();
    this.#subscription = undefined;
  }

  tellApproval(approval: Approval): void {
    this.#approvals.set(JSON.stringify([approval.session, approval.approval]), approval);
    this.#approvalSource ??= this.#options.peer.addBulkSource({ next: () => this.#nextApproval() });
    this.#approvalSource.wake();
  }

  end(): void {
    for (const watch of this.#watches.values()) watch.close();
    this.unsubscribe();
    this.#stopListening();
    this.#approvalSource?.remove();
  }

  #nextApproval(): WireMessage | undefined {
    const [first] = this.#approvals;
    if (first === undefined) return undefined;
    const [key, approval] = first;
    this.#approvals.delete(key);
    return encodeNotification('approvals/changed', { approval });
  }
}

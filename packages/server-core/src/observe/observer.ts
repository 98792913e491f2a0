// One connection that watches: its watches, its subscription, and what it is told of approvals.
import type { Approval, Clock, JournalEvent } from '@codex/exec-protocol';
import { encodeNotification, invalidRequest, type WireMessage } from '@codex/exec-protocol';
import type { BulkHandle, RpcPeer } from '@codex/exec-rpc';
import type { Journal } from '../journal/journal.js';
import { JournalSubscription } from '../journal/journal-subscription.js';
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
}

export class Observer {
  readonly id: number;
  readonly access: Access;
  readonly clientName: string;
  readonly signal: AbortSignal;
  readonly #options: ObserverOptions;
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

  subscribe(journal: Journal, afterSeq: number, isWanted: (event: JournalEvent) => boolean): void {
    this.#subscription?.close();
    this.#subscription = new JournalSubscription({ journal, peer: this.#options.peer, afterSeq, isWanted });
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

// This machine's part in the queue group that new sessions are given out by. The broker chooses among subscriptions, so a
// machine with more room has more of them, and one without room has none and is not asked.

import type { Msg, Subscription } from '@nats-io/transport-node';
import type { BrokerLink } from '../broker/broker-link.js';
import { QUEUE_GROUP, type Subjects } from '../naming/subjects.js';

const MOST_SUBSCRIPTIONS = 8;

export class QueueMembership {
  readonly #link: BrokerLink;
  readonly #subject: string;
  readonly #onRequest: (message: Msg) => void;
  readonly #subscriptions: Subscription[] = [];

  constructor(link: BrokerLink, subjects: Subjects, onRequest: (message: Msg) => void) {
    this.#link = link;
    this.#subject = subjects.everyAcquire;
    this.#onRequest = onRequest;
  }

  /** For so many free slots. */
  adjust(free: number): void {
    const wanted = Math.min(free, MOST_SUBSCRIPTIONS);
    while (this.#subscriptions.length > wanted) this.#subscriptions.pop()?.unsubscribe();
    while (this.#subscriptions.length < wanted && !this.#link.isClosed) {
      this.#subscriptions.push(this.#link.subscribe(this.#subject, this.#onRequest, QUEUE_GROUP));
    }
  }
}

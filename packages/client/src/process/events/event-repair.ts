// Fetches events that were not pushed. One run at a time; requests during a run are coalesced into one more run.

import type { ResultWithPayload } from '@codex/exec-protocol';
import type { ExecServerError } from '../../exec-server-error.js';
import type { EventOrder } from './event-order.js';
import { asFailure, processFailure } from './feed-failure.js';

export interface RepairOptions {
  readonly processId: string;
  readonly order: EventOrder;
  read(afterSeq: number): Promise<ResultWithPayload<'process/read'>>;
  isOver(): boolean;
  failed(error: ExecServerError): void;
}

export class EventRepair {
  readonly #options: RepairOptions;
  #running: Promise<void> | undefined;
  #mustRepeat = false;

  constructor(options: RepairOptions) {
    this.#options = options;
  }

  /** Resolves when everything the server had when asked is published. Never rejects. */
  run(): Promise<void> {
    if (this.#running !== undefined) {
      this.#mustRepeat = true;
      return this.#running;
    }
    this.#running = this.#readAll()
      .catch((error: unknown) => this.#options.failed(asFailure(error)))
      .finally(() => {
        this.#running = undefined;
      });
    return this.#running;
  }

  async #readAll(): Promise<void> {
    const { order, read, isOver, processId } = this.#options;
    do {
      for (let more = true; more && !isOver(); ) {
        const before = order.lastSeq;
        const reply = await read(before);
        if (reply.failure != null) throw processFailure(processId, reply.failure);
        order.read(reply);
        // A reply that brings nothing new ends this, or a server that repeats itself would keep it up for ever.
        more = reply.chunks.length > 0 && order.lastSeq > before;
      }
    } while (this.#takeRequest());
  }

  #takeRequest(): boolean {
    const asked = this.#mustRepeat;
    this.#mustRepeat = false;
    return asked;
  }
}

// After the exit, output may still be under way, or a descendant may hold it open for ever. The drain ends when the
// output is closed, or after a silence in which the server, asked, has nothing more; in any case after a maximum.

import type { Clock, Timer } from '@codex/exec-protocol';
import type { DrainPolicy } from '../../spawn-options.js';

const GRACE_MS = 50;
const MAX_DRAIN_MS = 2_000;

export interface DrainOptions {
  readonly clock: Clock;
  readonly policy: DrainPolicy;
  /** Asks the server for output that was not pushed yet; what it has is published before this resolves. */
  askForMore(): Promise<void>;
  /** Called once. `heldOpen`: the output never closed. */
  done(heldOpen: boolean): void;
}

export class OutputDrain {
  readonly #options: DrainOptions;
  #timer: Timer | undefined;
  #exitedAt: number | undefined;
  #activity = 0;
  #isOver = false;

  constructor(options: DrainOptions) {
    this.#options = options;
  }

  exited(): void {
    if (this.#exitedAt !== undefined || this.#isOver) return;
    this.#exitedAt = this.#options.clock.now();
    if (this.#options.policy.until !== 'closed') this.#await();
  }

  output(): void {
    this.#activity++;
  }

  closed(): void {
    this.#finish(false);
  }

  /** Nothing more will come: the connection is gone, or a stop was never confirmed. */
  abandon(): void {
    this.#finish(this.#exitedAt !== undefined);
  }

  #await(): void {
    const seen = this.#activity;
    this.#timer = this.#options.clock.schedule(this.#options.policy.graceMs ?? GRACE_MS, () => {
      if (this.#isTooLate()) this.#finish(true);
      else if (this.#activity !== seen) this.#await();
      else void this.#ask(seen);
    });
  }

  async #ask(seen: number): Promise<void> {
    // A read that fails ends the process as lost, which ends the drain.
    await this.#options.askForMore().catch(() => undefined);
    if (this.#isOver) return;
    if (this.#activity === seen || this.#isTooLate()) this.#finish(true);
    else this.#await();
  }

  #isTooLate(): boolean {
    return this.#options.clock.now() - (this.#exitedAt ?? 0) >= MAX_DRAIN_MS;
  }

  #finish(heldOpen: boolean): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer?.cancel();
    this.#options.done(heldOpen);
  }
}

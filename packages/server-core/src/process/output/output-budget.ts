// The retained output of all processes of a server. Over its limit, what clients have read goes first, of ended processes
// before running ones and of whatever session; then the oldest output of clients that did not come back in time. What a
// client has not read and may come back for stays: the processes that produce are stalled until something was read.
import type { Clock, Timer } from '@codex/exec-protocol';

export interface OutputHolder {
  /**
   * Drops the oldest event that may go and returns what that freed, or 0. `evenUnread` also gives up what a client has not
   * read that did not come back in time.
   */
  evict(options: { readonly evenUnread: boolean }): number;
  /** The limit is no longer, or newly, exceeded. */
  pressureChanged(): void;
}

/** What is read becomes known a little after it was sent, and nothing else may happen by then. */
const LOOK_AGAIN_MS = 100;

export class OutputBudget {
  readonly #limit: number;
  readonly #clock: Clock | undefined;
  readonly #running = new Set<OutputHolder>();
  readonly #ended = new Set<OutputHolder>();
  #used = 0;
  #isExhausted = false;
  #isReclaiming = false;
  #lookAgain: Timer | undefined;

  constructor(limit: number, clock?: Clock) {
    this.#limit = limit;
    this.#clock = clock;
  }

  get used(): number {
    return this.#used;
  }

  /** Nothing more can be dropped: producers have to wait. */
  get isExhausted(): boolean {
    return this.#isExhausted;
  }

  add(holder: OutputHolder): void {
    this.#running.add(holder);
  }

  ended(holder: OutputHolder): void {
    if (this.#running.delete(holder)) this.#ended.add(holder);
  }

  remove(holder: OutputHolder): void {
    this.#running.delete(holder);
    this.#ended.delete(holder);
  }

  /** Reports that a holder keeps that much more, or less. */
  charge(bytes: number): void {
    this.#used += bytes;
    if (this.#used > this.#limit) this.#reclaim();
    else if (this.#isExhausted) this.#setExhausted(false);
  }

  /** A holder has sent something, or need not wait for its client any longer: more may be dropped than before. */
  moreMayGo(): void {
    if (this.#isExhausted) this.#reclaim();
  }

  #reclaim(): void {
    // Giving up charges the budget, which leads back here.
    if (this.#isReclaiming) return;
    this.#isReclaiming = true;
    try {
      for (const evenUnread of [false, true]) {
        this.#takeFrom(this.#ended, evenUnread);
        this.#takeFrom(this.#running, evenUnread);
      }
    } finally {
      this.#isReclaiming = false;
    }
    this.#setExhausted(this.#used > this.#limit);
  }

  #takeFrom(holders: ReadonlySet<OutputHolder>, evenUnread: boolean): void {
    for (const holder of holders) {
      while (this.#used > this.#limit && holder.evict({ evenUnread }) > 0);
      if (this.#used <= this.#limit) return;
    }
  }

  #setExhausted(value: boolean): void {
    this.#lookAgain?.cancel();
    this.#lookAgain = value ? this.#clock?.schedule(LOOK_AGAIN_MS, () => this.#reclaim()) : undefined;
    if (this.#isExhausted === value) return;
    this.#isExhausted = value;
    // Ended ones as well: background children may still write to what their command left open.
    for (const holder of [...this.#running, ...this.#ended]) holder.pressureChanged();
  }
}

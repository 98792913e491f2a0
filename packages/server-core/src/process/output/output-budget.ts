// The retained output of all processes of a server. Over its limit, ended processes give up their oldest output first;
// when nothing may be dropped, the processes that produce are stalled until something was sent.

export interface OutputHolder {
  /**
   * Drops the oldest event that may go and returns what that freed, or 0. `evenUnsent` also gives up what a client
   * that is gone might still come for.
   */
  giveUp(options: { readonly evenUnsent: boolean }): number;
  /** The limit is no longer, or newly, exceeded. */
  pressureChanged(): void;
}

export class OutputBudget {
  readonly #limit: number;
  readonly #running = new Set<OutputHolder>();
  readonly #ended = new Set<OutputHolder>();
  #used = 0;
  #isExhausted = false;
  #isReclaiming = false;

  constructor(limit: number) {
    this.#limit = limit;
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
      this.#takeFrom(this.#ended, false);
      this.#takeFrom(this.#running, false);
      this.#takeFrom(this.#ended, true);
    } finally {
      this.#isReclaiming = false;
    }
    this.#setExhausted(this.#used > this.#limit);
  }

  #takeFrom(holders: ReadonlySet<OutputHolder>, evenUnsent: boolean): void {
    for (const holder of holders) {
      while (this.#used > this.#limit && holder.giveUp({ evenUnsent }) > 0);
      if (this.#used <= this.#limit) return;
    }
  }

  #setExhausted(value: boolean): void {
    if (this.#isExhausted === value) return;
    this.#isExhausted = value;
    // Ended ones as well: background children may still write to what their command left open.
    for (const holder of [...this.#running, ...this.#ended]) holder.pressureChanged();
  }
}

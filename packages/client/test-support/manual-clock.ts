// A clock that stands still until a test moves it.

import type { Clock, Timer } from '@codex/exec-protocol';

interface Scheduled {
  readonly at: number;
  readonly order: number;
  readonly action: () => void;
}

export class ManualClock implements Clock {
  #now = 1000;
  #order = 0;
  readonly #timers = new Set<Scheduled>();

  get pending(): number {
    return this.#timers.size;
  }

  now(): number {
    return this.#now;
  }

  schedule(delayMs: number, action: () => void): Timer {
    const timer = { at: this.#now + delayMs, order: this.#order++, action };
    this.#timers.add(timer);
    return { cancel: () => this.#timers.delete(timer) };
  }

  /** Runs what is due within `ms`, in order, and lets promises settle after each step. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (let due = this.#next(end); due !== undefined; due = this.#next(end)) {
      this.#timers.delete(due);
      this.#now = Math.max(this.#now, due.at);
      due.action();
      await settle();
    }
    this.#now = end;
    await settle();
  }

  #next(end: number): Scheduled | undefined {
    return [...this.#timers]
      .filter(({ at }) => at <= end)
      .sort((left, right) => left.at - right.at || left.order - right.order)[0];
  }
}

/** Lets everything that needs no time and no input happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}

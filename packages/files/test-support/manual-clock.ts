// Time that stands still until a test moves it.
import type { Clock, Timer } from '@codex/exec-protocol';

export class ManualClock implements Clock {
  #now = 0;
  readonly #timers = new Set<{ readonly at: number; readonly action: () => void }>();

  now(): number {
    return this.#now;
  }

  schedule(delayMs: number, action: () => void): Timer {
    const timer = { at: this.#now + delayMs, action };
    this.#timers.add(timer);
    return { cancel: () => void this.#timers.delete(timer) };
  }

  get pending(): number {
    return this.#timers.size;
  }

  /** Runs what is due, in the order in which it falls due, and lets promises settle in between. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    for (;;) {
      const due = [...this.#timers].filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (due === undefined) break;
      this.#now = due.at;
      this.#timers.delete(due);
      due.action();
      await settle();
    }
    this.#now = end;
    await settle();
  }
}

/** Lets everything that is ready happen. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
}

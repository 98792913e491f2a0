// Remembers the last write ids of a process, so that a write repeated after a cut connection is written once.
import type { InputOutcome } from './input-queue.js';

/** So many of them are kept per process that their length matters. */
export const MAX_WRITE_ID_LENGTH = 1024;

export class WriteIds {
  readonly #limit: number;
  readonly #outcomes = new Map<string, Promise<InputOutcome>>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(id: string): Promise<InputOutcome> | undefined {
    return this.#outcomes.get(id);
  }

  /** Gives the outcome back. A write that is not accepted is forgotten: its repeat is tried again. */
  remember(id: string, outcome: Promise<InputOutcome>): Promise<InputOutcome> {
    this.#outcomes.set(id, outcome);
    if (this.#outcomes.size > this.#limit) {
      const [oldest] = this.#outcomes.keys();
      if (oldest !== undefined) this.#outcomes.delete(oldest);
    }
    return outcome.then((status) => {
      if (status !== 'accepted') this.#outcomes.delete(id);
      return status;
    });
  }
}

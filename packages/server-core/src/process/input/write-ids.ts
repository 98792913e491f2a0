// Remembers the last write ids of a process, so that a write repeated after a cut connection is written once.

/** So many of them are kept per process that their length matters. */
export const MAX_WRITE_ID_LENGTH = 1024;

export class WriteIds<T> {
  readonly #limit: number;
  readonly #outcomes = new Map<string, T>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(id: string): T | undefined {
    return this.#outcomes.get(id);
  }

  remember(id: string, outcome: T): void {
    this.#outcomes.set(id, outcome);
    if (this.#outcomes.size <= this.#limit) return;
    const [oldest] = this.#outcomes.keys();
    if (oldest !== undefined) this.#outcomes.delete(oldest);
  }

  forget(id: string): void {
    this.#outcomes.delete(id);
  }
}

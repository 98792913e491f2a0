// One search at a time, which serves all who asked before it began; the ones that come later share the next. So a storm
// of questions costs no more than two searches, and no answer is older than its question.

interface Asker<Found> {
  readonly keys: readonly string[];
  readonly settle: (found: Found | undefined) => void;
  readonly fail: (error: unknown) => void;
}

/** What one search looks for. */
export class Wanted<Found> {
  readonly #askers = new Map<string, Asker<Found>[]>();

  /** The search may end: everybody has an answer. */
  get isEmpty(): boolean {
    return this.#askers.size === 0;
  }

  has(key: string): boolean {
    return this.#askers.has(key);
  }

  /** Answers all who asked for it. */
  settle(key: string, found: Found | undefined): void {
    for (const asker of this.#askers.get(key) ?? []) {
      this.#remove(asker);
      asker.settle(found);
    }
  }

  add(asker: Asker<Found>): void {
    for (const key of asker.keys) this.#askers.set(key, [...(this.#askers.get(key) ?? []), asker]);
  }

  /** Those who have no answer yet. */
  all(): Asker<Found>[] {
    return [...new Set([...this.#askers.values()].flat())];
  }

  #remove(asker: Asker<Found>): void {
    for (const key of asker.keys) {
      const others = (this.#askers.get(key) ?? []).filter((other) => other !== asker);
      if (others.length === 0) this.#askers.delete(key);
      else this.#askers.set(key, others);
    }
  }
}

export class SharedSearch<Found> {
  readonly #search: (wanted: Wanted<Found>) => Promise<void>;
  #waiting = new Wanted<Found>();
  #isRunning = false;

  /** `search` settles what it finds; what it has not settled at its end was not found. */
  constructor(search: (wanted: Wanted<Found>) => Promise<void>) {
    this.#search = search;
  }

  /** What is found under any of the keys. */
  find(...keys: readonly string[]): Promise<Found | undefined> {
    return new Promise((settle, fail) => {
      this.#waiting.add({ keys, settle, fail });
      if (!this.#isRunning) void this.#run();
    });
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    while (!this.#waiting.isEmpty) {
      const wanted = this.#waiting;
      this.#waiting = new Wanted();
      try {
        await this.#search(wanted);
        for (const { settle } of wanted.all()) settle(undefined);
      } catch (error) {
        for (const { fail } of wanted.all()) fail(error);
      }
    }
    this.#isRunning = false;
  }
}

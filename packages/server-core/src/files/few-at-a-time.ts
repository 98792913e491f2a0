// Bounds how many long looks at the disk (listings, walks) of one connection are under way: each is many small steps on the event loop,
// and thousands of them at once would come between everybody else's.
export class FewAtATime {
  readonly #limit: number;
  readonly #signal: AbortSignal;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;

  /** When `signal` is aborted, those that wait are not begun. */
  constructor(limit: number, signal: AbortSignal) {
    this.#limit = limit;
    this.#signal = signal;
  }

  /** In the order of the calls. */
  async run<T>(act: () => Promise<T>): Promise<T> {
    if (this.#underWay >= this.#limit) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#underWay += 1;
    try {
      this.#signal.throwIfAborted();
      return await act();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#underWay -= 1;
      else next(); // takes this place
    }
  }
}

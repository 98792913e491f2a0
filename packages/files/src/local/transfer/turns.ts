// Work that goes on for longer than others should wait for the event loop: it is done in slices, and others get their turn in
// between.

const SLICE_MS = 3;

export class Turns {
  #began = performance.now();

  get isOver(): boolean {
    return performance.now() - this.#began >= SLICE_MS;
  }

  /** To be awaited between two steps: resolves in the next turn once this one is over. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#began = performance.now();
  }
}

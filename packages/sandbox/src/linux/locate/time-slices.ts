// Does long work in time slices, so that the event loop serves other requests in between.
const sliceMs = 4;

export class TimeSlices {
  #end = performance.now() + sliceMs;

  get isOver(): boolean {
    return performance.now() > this.#end;
  }

  /** Lets others have their turn. */
  async next(): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve));
    this.#end = performance.now() + sliceMs;
  }
}

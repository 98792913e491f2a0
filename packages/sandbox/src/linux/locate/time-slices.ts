// Work that may be long is done in slices, so that the event loop serves everybody else in between.
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

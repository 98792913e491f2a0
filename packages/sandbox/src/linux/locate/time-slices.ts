// Does long work in time slices, so that the event loop serves other requests in between. Work that is also needed in one
// go is written once, as steps (a generator), and driven either way.
const sliceMs = 4;

/** Each `yield` is a place where others may have their turn. */
export type Steps<T> = Generator<undefined, T>;

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

export async function inSlices<T>(steps: Steps<T>): Promise<T> {
  const slices = new TimeSlices();
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    if (slices.isOver) await slices.next();
  }
}

/** For callers that cannot wait, and work that is known to be small. */
export function inOneGo<T>(steps: Steps<T>): T {
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
  }
}

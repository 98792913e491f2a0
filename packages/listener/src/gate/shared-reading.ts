// Coalesces reads: one serves all callers that asked before it began, later ones wait for the next. So there is never
// more than one at a time, and none is older than the question.

export function shareReadings<T>(read: () => Promise<T>): () => Promise<T> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<T> | undefined;
  return () => {
    if (next !== undefined) return next;
    const reading = last
      .then(() => new Promise((resolve) => setImmediate(resolve)))
      .then(() => {
        next = undefined;
        return read();
      });
    next = reading;
    last = reading.catch(() => undefined);
    return reading;
  };
}

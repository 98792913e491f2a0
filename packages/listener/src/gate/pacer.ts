// For long runs of synchronous reads of /proc: each takes microseconds, far less than an asynchronous one, but together
// they must not hold the event loop.

const TURN_MS = 2;

/** Call it after each step: it gives the event loop a turn when this one has lasted long enough. */
export function createPacer(): () => Promise<void> | undefined {
  let turnEnds = performance.now() + TURN_MS;
  return () => {
    if (performance.now() < turnEnds) return undefined;
    return new Promise((resolve) =>
      setImmediate(() => {
        turnEnds = performance.now() + TURN_MS;
        resolve();
      }),
    );
  };
}

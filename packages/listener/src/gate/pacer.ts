// Time-slices long runs of synchronous reads of /proc: each takes microseconds, far less than an asynchronous one, but
// together they must not block the event loop. All runs share one budget, so that many connections at once cost the
// others no more than one does.

const TURN_MS = 2;

export type Pacer = () => Promise<void> | undefined;

/**
 * Call it after each step and await what it returns: it waits for a later turn of the event loop when this one is used
 * up.
 */
export function createPacer(now: () => number = () => performance.now()): Pacer {
  const waiting: (() => void)[] = [];
  let turnEnds = 0;
  const nextTurn = (): void => {
    turnEnds = now() + TURN_MS;
    // The one that has waited longest; after its turn it stands behind the others.
    waiting.shift()?.();
    if (waiting.length > 0) setImmediate(nextTurn);
  };
  return () => {
    if (waiting.length === 0 && now() < turnEnds) return undefined;
    return new Promise((resolve) => {
      waiting.push(resolve);
      if (waiting.length === 1) setImmediate(nextTurn);
    });
  };
}

/** The budget of all gates. */
export const breathe = createPacer();

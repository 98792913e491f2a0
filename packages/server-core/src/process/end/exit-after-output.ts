// Why an exit waits for output: what the command wrote before it ended is announced before its exit. An exit is seen as
// soon as the command is gone, while its last output may still be in the pipe. What background children write later comes
// behind the exit; it is not waited for.
import type { Clock } from '../../clock.js';

/** How long the output of a failed sandboxed command is waited for: what it says last tells whether it was denied. */
export const VERDICT_WAIT_MS = 20;

/**
 * What the command wrote is in the pipe already, and the next poll reads it: the first immediate ends the turn in which
 * the exit was seen, the second the turn after that poll.
 */
export function lastOutputRead(outputEnded: Promise<void>): Promise<void> {
  const wholeTurn = new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
  return Promise.race([outputEnded, wholeTurn]);
}

export function evidenceRead(outputEnded: Promise<void>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.schedule(VERDICT_WAIT_MS, resolve);
    void outputEnded.then(() => {
      timer.cancel();
      resolve();
    });
  });
}

// Why an exit waits for output: what the command wrote before it ended is announced before its exit. An exit is seen as
// soon as the command is gone, while its last output may still be in the pipe. What background children write later comes
// behind the exit; it is not waited for. An exit also waits a little for what its sandbox has to put back on the host.
import type { Clock } from '@codex/exec-protocol';

/** How long the output of a failed sandboxed command is waited for: what it says last tells whether it was denied. */
const VERDICT_WAIT_MS = 20;
/** How long an end is held back for a tree that is not gone yet, because of children in the background. */
const HOST_RESTORE_WAIT_MS = 100;

/**
 * What the command wrote is in the pipe already, and the next poll reads it: the first immediate ends the turn in which
 * the exit was seen, the second the turn after that poll.
 */
export function lastOutputRead(outputEnded: Promise<void>): Promise<void> {
  const wholeTurn = new Promise<void>((resolve) => setImmediate(() => setImmediate(resolve)));
  return Promise.race([outputEnded, wholeTurn]);
}

/** The clock alone says nothing: where the server could not run for so long, its timers come before what there is to read. */
export async function evidenceRead(outputEnded: Promise<void>, clock: Clock): Promise<void> {
  await atMost(VERDICT_WAIT_MS, outputEnded, clock);
  await lastOutputRead(outputEnded);
}

/**
 * A client that looks when it learns of the end finds its files as they are. Children in the background may live on, and
 * what protects the host from them stays; their command does not wait for that.
 */
export function hostRestored(treeGone: Promise<void>, clock: Clock): Promise<void> {
  return atMost(HOST_RESTORE_WAIT_MS, treeGone, clock);
}

function atMost(ms: number, event: Promise<void>, clock: Clock): Promise<void> {
  return new Promise((resolve) => {
    const timer = clock.schedule(ms, resolve);
    void event.then(() => {
      timer.cancel();
      resolve();
    });
  });
}

// Drops output that the reader of a closed channel has not taken, so that it does not keep the process alive for ever.

import { Socket } from 'node:net';
import type { Writable } from 'node:stream';

const STALLED_MS = 2_000;

/**
 * Destroys an output that was ended and is stuck. A pipe has time as long as its reader takes bytes; any other stream
 * has to finish in that time.
 */
export function dropStalledOutput(output: Writable): void {
  const drop = (): void => void output.destroy();
  if (output instanceof Socket) {
    output.setTimeout(STALLED_MS, drop);
    return;
  }
  const timer = setTimeout(drop, STALLED_MS);
  timer.unref();
  for (const event of ['finish', 'close']) output.once(event, () => clearTimeout(timer));
}

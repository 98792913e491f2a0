// Write buffers that are used again: fresh ones of this size cost page faults and garbage collection on the hot path.
// One pool for all connections of the process.

import { Buffer } from 'node:buffer';

/** Two of the longest messages of output, with what stands before them. */
export const SLAB_BYTES = 512 * 1024 + 4096;
const MAX_FREE = 8;
const free: Buffer[] = [];

export function acquireSlab(): Buffer {
  return free.pop() ?? Buffer.allocUnsafeSlow(SLAB_BYTES);
}

/** Only for a slab that is no longer read. */
export function releaseSlab(slab: Buffer): void {
  if (free.length < MAX_FREE) free.push(slab);
}

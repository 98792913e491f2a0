// Decides when a child is stalled (back-pressure): its output is not read, so that its pipe fills and its next write
// waits.
import type { ProcessLimits } from '../process-limits.js';
import { sharesOf } from './in-transit-shares.js';
import type { OutputMode } from './output-mode.js';

/** Where a process stalls while the whole server is over its limit. */
const STALL_UNDER_PRESSURE_BYTES = 64 * 1024;

export interface StallFacts {
  readonly mode: OutputMode;
  readonly isStalled: boolean;
  /** The whole server keeps too much, and none of it may be dropped. */
  readonly isServerFull: boolean;
  readonly retainedBytes: number;
  readonly unsentBytes: number;
}

export class OutputStall {
  readonly #capBytes: number;
  readonly #unsentMarkBytes: number;

  constructor({ retainedOutputBytesPerProcess, unsentOutputBytesPerProcess }: ProcessLimits) {
    this.#capBytes = retainedOutputBytesPerProcess;
    const share = sharesOf(retainedOutputBytesPerProcess).unsentBytes;
    this.#unsentMarkBytes = Math.min(unsentOutputBytesPerProcess, share);
  }

  shouldStall({ mode, isStalled, isServerFull, retainedBytes, unsentBytes }: StallFacts): boolean {
    switch (mode) {
      case 'free':
        return isServerFull;
      case 'held':
        return isServerFull || retainedBytes >= this.#capBytes;
      case 'live': {
        const pressure = isServerFull ? STALL_UNDER_PRESSURE_BYTES : Number.POSITIVE_INFINITY;
        const mark = Math.min(this.#unsentMarkBytes, pressure);
        // Half of the mark has to be gone before reading goes on, or every block would start and stop it.
        return unsentBytes >= (isStalled ? mark / 2 : mark);
      }
    }
  }
}

// The clock of the machine.
import type { Clock } from '@codex/exec-files';

export type { Clock, Timer } from '@codex/exec-files';

/** Node clamps longer delays to 1 ms, which would turn "practically never" into "now". */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  schedule(delayMs, action) {
    const timer = setTimeout(action, Math.min(delayMs, LONGEST_TIMEOUT_MS));
    timer.unref();
    return { cancel: () => clearTimeout(timer) };
  },
};

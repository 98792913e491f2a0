// Time as a dependency, so that expiry and grace periods are tested without sleeping.

export interface Timer {
  cancel(): void;
}

export interface Clock {
  now(): number;
  /** Runs `action` once after `delayMs`. A pending timer never keeps the process alive. */
  schedule(delayMs: number, action: () => void): Timer;
}

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

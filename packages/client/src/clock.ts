// Time as a dependency: every deadline, grace period and retry of the client runs on one clock, so that windows and
// ladders are tested without sleeping.

export interface Timer {
  cancel(): void;
}

export interface Clock {
  /** Milliseconds from an arbitrary point; never goes back. */
  now(): number;
  /** Runs `action` once after `delayMs`. */
  schedule(delayMs: number, action: () => void): Timer;
}

/** Timers above this are clamped to 1 ms by the runtimes, which would turn "practically never" into "at once". */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => performance.now(),
  schedule(delayMs, action) {
    const timer = setTimeout(action, Math.min(Math.max(0, delayMs), LONGEST_TIMEOUT_MS));
    return { cancel: () => clearTimeout(timer) };
  },
};

/** Resolves after `delayMs`, or at once when the signal aborts; it never rejects. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  if (signal?.aborted === true) return Promise.resolve();
  return new Promise((resolve) => {
    const finish = (): void => {
      timer.cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = clock.schedule(delayMs, finish);
    signal?.addEventListener('abort', finish, { once: true });
  });
}

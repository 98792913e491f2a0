// The clocks of the runtime, Node's or a browser's.
import type { Clock } from '@codex/exec-protocol';

/** Runtimes clamp longer timers to 1 ms, which would turn "practically never" into "at once". */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

/** The runtime's clock. Its timers keep a program alive, as a caller that waits for one expects. */
export const systemClock: Clock = runtimeClock(() => {});

/** The same clock with timers that never keep a program alive: for expiry and supervision. */
export const backgroundClock: Clock = runtimeClock((timer) => {
  // Browsers number their timers.
  if (typeof timer === 'object') timer.unref();
});

function runtimeClock(started: (timer: ReturnType<typeof setTimeout> | number) => void): Clock {
  return {
    now: () => performance.now(),
    schedule(delayMs, action) {
      const timer = setTimeout(action, Math.min(Math.max(0, delayMs), LONGEST_TIMEOUT_MS));
      started(timer);
      return { cancel: () => clearTimeout(timer) };
    },
  };
}

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

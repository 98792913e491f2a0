// Stops the server on SIGTERM and SIGINT, in order at the first and at once at the second, and, where it is asked
// for, at the end of input.

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const KILLED_BY_SIGNAL = 130;

export function abortOnStopSignals(): AbortController {
  const controller = new AbortController();
  for (const name of STOP_SIGNALS) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(KILLED_BY_SIGNAL);
      controller.abort();
    });
  }
  return controller;
}

/** A parent that dies closes the pipe it has held. What it writes before is not for us. */
export function onInputClosed(then: () => void): void {
  process.stdin.once('close', then).once('error', then).resume();
  process.stdin.once('end', then);
}

// SIGTERM and SIGINT end the server in order; a second one ends it at once.

const STOP_SIGNALS = ['SIGTERM', 'SIGINT'] as const;
const KILLED_BY_SIGNAL = 130;

export function abortOnStopSignals(): AbortSignal {
  const controller = new AbortController();
  for (const name of STOP_SIGNALS) {
    process.on(name, () => {
      if (controller.signal.aborted) process.exit(KILLED_BY_SIGNAL);
      controller.abort();
    });
  }
  return controller.signal;
}

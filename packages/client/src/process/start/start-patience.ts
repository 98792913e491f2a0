// How long a start is waited for: until its caller aborts, or the time that the process was given is over.

import type { Clock } from '@codex/exec-rpc';
import { abortedError, ExecServerError } from '../../exec-server-error.js';

interface Patience {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
}

export function untilGivenUp(work: Promise<void>, { clock, signal, timeoutMs }: Patience): Promise<void> {
  if (signal === undefined && timeoutMs === undefined) return work;
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(abortedError('spawn', signal?.reason));
    const onTimeout = (): void => reject(startTimeout(timeoutMs ?? 0));
    const timer = timeoutMs === undefined ? undefined : clock.schedule(timeoutMs, onTimeout);
    signal?.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => {
      timer?.cancel();
      signal?.removeEventListener('abort', onAbort);
    });
  });
}

export function isGivenUp(error: unknown): boolean {
  return ExecServerError.is(error, 'aborted') || ExecServerError.is(error, 'transport.timeout');
}

function startTimeout(timeoutMs: number): ExecServerError<'transport.timeout'> {
  const message = `the server did not answer process/start within ${timeoutMs} ms`;
  return new ExecServerError('transport.timeout', message, {
    details: { method: 'process/start', timeoutMs },
    admitted: 'unknown',
    retryable: true,
  });
}

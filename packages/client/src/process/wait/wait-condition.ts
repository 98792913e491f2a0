// Waits for something about a process that may never come: bounded by a timeout, an abort, and the process' own end.

import { abortedError, ExecServerError } from '../../exec-server-error.js';
import type { ProcessFeed } from '../events/process-feed.js';

export interface WaitOptions {
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

export interface WaitSpec<T> extends WaitOptions {
  readonly feed: ProcessFeed;
  /** Completes the sentence "… was not reached". */
  readonly condition: string;
  /** Asked after every event; anything but undefined ends the wait. */
  poll(): T | undefined;
  /** Whether the wait is hopeless when the process is over. Default true. */
  readonly endsWithProcess?: boolean;
}

const TAIL_CHARACTERS = 2000;

export function waitUntil<T>(spec: WaitSpec<T>): Promise<T> {
  const { feed, signal, timeoutMs } = spec;
  return new Promise((resolve, reject) => {
    const stops: (() => void)[] = [];
    const finish = (settle: () => void): void => {
      for (const stop of stops.splice(0)) stop();
      settle();
    };
    const check = (): void => {
      const value = spec.poll();
      if (value !== undefined) finish(() => resolve(value));
      else if (feed.isSettled && spec.endsWithProcess !== false) finish(() => reject(endedBefore(spec)));
    };
    stops.push(feed.onChange(check));
    if (timeoutMs !== undefined) {
      const timer = feed.clock.schedule(timeoutMs, () => finish(() => reject(timedOut(spec, timeoutMs))));
      stops.push(() => timer.cancel());
    }
    if (signal !== undefined) {
      const onAbort = (): void => finish(() => reject(abortedError(spec.condition, signal.reason)));
      signal.addEventListener('abort', onAbort, { once: true });
      stops.push(() => signal.removeEventListener('abort', onAbort));
      if (signal.aborted) {
        onAbort();
        return;
      }
    }
    check();
  });
}

function timedOut({ feed, condition }: WaitSpec<unknown>, timeoutMs: number): ExecServerError {
  const details = { processId: feed.processId, condition, tail: tailOf(feed) };
  return new ExecServerError('process.waitTimeout', `${condition} was not reached within ${timeoutMs} ms`, {
    details,
    retryable: true,
    admitted: true,
    hint: 'The process still runs; wait again or stop it.',
  });
}

function endedBefore({ feed, condition }: WaitSpec<unknown>): ExecServerError {
  if (feed.lost !== undefined) return feed.lost;
  const tail = tailOf(feed);
  const code = feed.exit === undefined ? '' : ` with code ${feed.exit.exitCode}`;
  return new ExecServerError(
    'process.endedBefore',
    `the process ended${code} before ${condition} was reached${tail === '' ? '' : `\n${tail}`}`,
    { details: { processId: feed.processId, condition, tail }, admitted: true },
  );
}

function tailOf(feed: ProcessFeed): string {
  return feed.output.snapshot().text.slice(-TAIL_CHARACTERS);
}

// Bounds how long a start is waited for. A command's time runs while it runs: neither a request that waits for its turn
// nor the server's own work counts, but a server that does not answer at all must not hold its caller for ever.

import type { Clock, Timer } from '@codex/exec-protocol';
import { abortedError } from '../../exec-server-error.js';

/** Longer than a session is recovered for, which is the longest that a request waits before it is sent. */
const UNSENT_MS = 60_000;
/** On top of the time that the command has. */
const ANSWER_MS = 5_000;

export interface StartRequest {
  readonly clock: Clock;
  readonly signal: AbortSignal | undefined;
  readonly timeoutMs: number | undefined;
  /** Beyond the timeout, how long an answer may take. */
  readonly answerMs: number | undefined;
  /** Starts. It ends with `aborted` when `unsent` aborts before the request is on its way, and says when it is. */
  start(unsent: AbortSignal, onSent: () => void): Promise<void>;
  /** The start succeeded too late: the caller has given up. */
  startedLate(): void;
}

export type StartVerdict = 'started' | 'notSent' | 'unanswered';

/** Rejects with what the start was refused with, or with `aborted`. */
export function awaitStart(request: StartRequest): Promise<StartVerdict> {
  const { clock, signal, timeoutMs, answerMs = ANSWER_MS } = request;
  if (signal === undefined && timeoutMs === undefined) {
    return request.start(new AbortController().signal, () => {}).then(() => 'started');
  }
  const unsent = new AbortController();
  let deadline: Timer | undefined;
  return new Promise((resolve, reject) => {
    let isOver = false;
    let isSent = false;
    const finish = (settle: () => void): void => {
      if (isOver) return;
      isOver = true;
      deadline?.cancel();
      signal?.removeEventListener('abort', onAbort);
      settle();
    };
    const onAbort = (): void => {
      unsent.abort(signal?.reason);
      finish(() => reject(abortedError('spawn', signal?.reason, isSent ? 'unknown' : false)));
    };
    const wait = (ms: number, verdict: StartVerdict): void => {
      deadline?.cancel();
      deadline = clock.schedule(ms, () => {
        unsent.abort();
        finish(() => resolve(verdict));
      });
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    if (timeoutMs !== undefined) wait(timeoutMs + UNSENT_MS, 'notSent');
    const started = request.start(unsent.signal, () => {
      isSent = true;
      if (timeoutMs !== undefined && !isOver) wait(timeoutMs + answerMs, 'unanswered');
    });
    started.then(
      () => (isOver ? request.startedLate() : finish(() => resolve('started'))),
      (error: Error) => finish(() => reject(error)),
    );
  });
}

// Retries to resume a session: at once, then at an interval, until it works, is refused for good, or time is up.

import type { Clock } from '@codex/exec-protocol';
import { sleep } from '@codex/exec-rpc';
import { ExecServerError } from '../exec-server-error.js';
import type { ReconnectPolicy } from './connect-options.js';
import type { OpenConnection } from './handshake.js';
import { isWorthRetrying } from './link-error.js';

/** As long as the Codex CLI tries. Servers keep a session for 80 s without a connection. */
const MAX_ELAPSED_MS = 45_000;
const INTERVAL_MS = 100;

export interface RecoveryOptions {
  readonly clock: Clock;
  readonly policy: ReconnectPolicy;
  readonly signal: AbortSignal;
  attempt(remainingMs: number): Promise<OpenConnection>;
}

export async function recoverConnection(options: RecoveryOptions): Promise<OpenConnection> {
  const { clock, policy, signal } = options;
  const intervalMs = policy.intervalMs ?? INTERVAL_MS;
  const deadline = clock.now() + (policy.maxElapsedMs ?? MAX_ELAPSED_MS);
  let why: unknown;
  for (let attempts = 1; ; attempts++) {
    const timeMs = Math.max(1, deadline - clock.now());
    try {
      return await options.attempt(timeMs);
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
      // One that began just before the end says only that it was cut off; the one before knows what is wrong.
      if (why === undefined || timeMs >= intervalMs) why = error;
      const remaining = deadline - clock.now();
      await sleep(clock, Math.min(intervalMs, Math.max(0, remaining)), signal);
      if (signal.aborted || clock.now() >= deadline) throw gaveUp(attempts, why);
    }
  }
}

function gaveUp(attempts: number, cause: unknown): ExecServerError<'transport.connect'> {
  return new ExecServerError('transport.connect', `gave up after ${attempts} attempts: ${reasonOf(cause)}`, {
    details: { target: '', attempts },
    retryable: true,
    cause,
  });
}

/** Without the target, which the sentence around it names. */
function reasonOf(error: unknown): string {
  if (ExecServerError.is(error, 'transport.connect') && error.cause instanceof Error)
    return error.cause.message;
  return error instanceof Error ? error.message : String(error);
}

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
  const deadline = clock.now() + (policy.maxElapsedMs ?? MAX_ELAPSED_MS);
  for (let attempts = 1; ; attempts++) {
    try {
      return await options.attempt(Math.max(1, deadline - clock.now()));
    } catch (error) {
      if (!isWorthRetrying(error)) throw error;
      const remaining = deadline - clock.now();
      await sleep(clock, Math.min(policy.intervalMs ?? INTERVAL_MS, Math.max(0, remaining)), signal);
      if (signal.aborted || clock.now() >= deadline) throw gaveUp(attempts, error);
    }
  }
}

function gaveUp(attempts: number, cause: unknown): ExecServerError<'transport.connect'> {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new ExecServerError('transport.connect', `gave up after ${attempts} attempts: ${why}`, {
    details: { target: '', attempts },
    retryable: true,
    cause,
  });
}

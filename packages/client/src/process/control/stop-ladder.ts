// One way to stop a process, behind timeouts, abort signals, stop() and dispose: interrupt, a grace period, kill,
// confirm. What an interrupt has ended may have left children, which end with it (decision 0072). It ends in bounded time
// whatever the process or the server does.

import type { Clock } from '@codex/exec-protocol';
import { sleep } from '@codex/exec-rpc';
import type { StopPolicy } from '../../spawn-options.js';
import type { StopCause } from '../end/process-outcome.js';
import type { ProcessFeed } from '../events/process-feed.js';

const GRACE_MS = 2_000;
const CONFIRM_MS = 5_000;

export interface StopRequests {
  interrupt(): Promise<void>;
  terminate(): Promise<unknown>;
  /** Ends what a process that has exited has left in the background. Not every server can. */
  readonly endBackground: (() => Promise<unknown>) | undefined;
}

export interface StopOptions {
  readonly feed: ProcessFeed;
  readonly clock: Clock;
  readonly policy: StopPolicy;
  readonly cause: StopCause;
  readonly requests: StopRequests;
}

export async function stopProcess({ feed, clock, policy, cause, requests }: StopOptions): Promise<void> {
  const { interruptFirst = true, graceMs = GRACE_MS, confirmMs = CONFIRM_MS } = policy;
  const runs = (): boolean => feed.isRunning;
  if (!runs()) return;
  feed.stopping(cause);
  if (interruptFirst && graceMs > 0) {
    // Whether it arrived does not matter: the kill follows.
    void requests.interrupt().catch(() => undefined);
    await exitWithin(feed, clock, graceMs);
    if (!runs()) await settleWithin(requests.endBackground?.(), clock, confirmMs);
  }
  if (runs()) {
    void requests.terminate().catch(() => undefined);
    await exitWithin(feed, clock, confirmMs);
  }
  if (runs()) feed.abandon();
}

/** Resolves when the process has ended in any way, or after `ms`. */
export async function exitWithin(feed: ProcessFeed, clock: Clock, ms: number): Promise<void> {
  const ended = new AbortController();
  const check = (): void => {
    if (!feed.isRunning) ended.abort();
  };
  const stop = feed.onChange(check);
  check();
  await sleep(clock, ms, ended.signal);
  stop();
}

/** A connection that is gone, or away for long, is no failure of this: its session ends what is left. */
async function settleWithin(asked: Promise<unknown> | undefined, clock: Clock, ms: number): Promise<void> {
  if (asked === undefined) return;
  const answered = new AbortController();
  const settle = (): void => answered.abort();
  asked.then(settle, settle);
  await sleep(clock, ms, answered.signal);
}

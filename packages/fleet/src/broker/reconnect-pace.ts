// When to dial the broker again: soon at first, and more and more seldom when it stays away, so that it is not met by all
// machines at once when it is back. The library counts pauses by the wall clock, and would not dial for an hour after that was
// set back by one. So the pause is counted here, by the monotonic clock, and the library is told "now" or "not yet".

import type { ConnectionOptions } from '@nats-io/transport-node';

const FIRST_MS = 100;
/** So long a broker that restarts is away at most. */
const SOON_MS = 3000;
const SLOWEST_MS = 2000;
const SLOWEST_JITTER_MS = 3000;
/** A last attempt that is older than any was: the library dials at once. */
const LONG_AGO_MS = -1e15;
/** A pause after so long without one belongs to another outage. */
const NEW_OUTAGE_MS = 15_000;
/** A connection that held for so long ends an outage: a broker that dies again and again is dialled soon each time. */
const HELD_MS = 500;

export interface ReconnectPace extends Required<Pick<ConnectionOptions, 'reconnectDelayHandler'>> {
  /** The broker has taken the connection. */
  reached(): void;
}

export interface PaceClocks {
  now(): number;
  wall(): number;
  random(): number;
}

const CLOCKS: PaceClocks = {
  now: () => performance.now(),
  wall: () => Date.now(),
  random: () => Math.random(),
};

export function reconnectPace({ now, wall, random }: PaceClocks = CLOCKS): ReconnectPace {
  let since = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  let pauseUntil: number | undefined;
  let reachedAt: number | undefined;
  /** By the wall clock, as the library notes it too. */
  let dialledAt: number | undefined;
  return { reconnectDelayHandler, reached };

  function reached(): void {
    reachedAt = now();
  }

  /** The library asks before each dial and at the end of each pause, and adds the answer to the time of its last dial. */
  function reconnectDelayHandler(): number {
    // The first dial of all waits for nothing.
    if (dialledAt === undefined) return dialNow();
    const at = now();
    pauseUntil ??= at + nextPause(at);
    const isSetBack = wall() < dialledAt;
    if (at >= pauseUntil || isSetBack) return dialNow();
    return wall() - dialledAt + (pauseUntil - at);
  }

  function dialNow(): number {
    pauseUntil = undefined;
    dialledAt = wall();
    return LONG_AGO_MS;
  }

  function nextPause(at: number): number {
    const hasHeld = reachedAt !== undefined && at - reachedAt >= HELD_MS;
    reachedAt = undefined;
    if (hasHeld || at - last > NEW_OUTAGE_MS) since = at;
    last = at;
    const awayMs = at - since;
    if (awayMs < SOON_MS) return FIRST_MS * (1 + random());
    return Math.min(SLOWEST_MS, awayMs / 10) + random() * Math.min(SLOWEST_JITTER_MS, awayMs / 5);
  }
}

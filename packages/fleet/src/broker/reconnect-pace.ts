// When to dial the broker again: soon at first, and more and more seldom when it stays away, so that it is not met by all
// machines at once when it is back. The library counts its own pauses by the wall clock and would wait for an hour after that
// was set back by one, so its pauses are switched off and these are used.

import type { ConnectionOptions } from '@nats-io/transport-node';

const FIRST_MS = 100;
/** So long a broker that restarts is away at most. */
const SOON_MS = 3000;
const SLOWEST_MS = 2000;
const SLOWEST_JITTER_MS = 3000;
/** A last attempt that is older than any was: the library never waits for it. */
const LONG_AGO_MS = -1e15;
/** A pause after so long without one belongs to another outage. */
const NEW_OUTAGE_MS = 15_000;

export type ReconnectPace = Required<Pick<ConnectionOptions, 'reconnectDelayHandler' | 'reconnectToServer'>>;

export function reconnectPace(
  now: () => number = () => performance.now(),
  random: () => number = Math.random,
): ReconnectPace {
  let isFirst = true;
  let since = Number.NEGATIVE_INFINITY;
  let last = Number.NEGATIVE_INFINITY;
  return {
    reconnectDelayHandler: () => LONG_AGO_MS,
    reconnectToServer: ([server]) => {
      // The first dial of all waits for nothing.
      const delay = isFirst ? 0 : nextDelay();
      isFirst = false;
      return server === undefined ? null : { server, delay };
    },
  };

  function nextDelay(): number {
    const at = now();
    if (at - last > NEW_OUTAGE_MS) since = at;
    last = at;
    const awayMs = at - since;
    if (awayMs < SOON_MS) return FIRST_MS * (1 + random());
    return Math.min(SLOWEST_MS, awayMs / 10) + random() * Math.min(SLOWEST_JITTER_MS, awayMs / 5);
  }
}

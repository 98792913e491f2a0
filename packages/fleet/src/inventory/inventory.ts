// Which machines there are, from what they say about themselves. Whatever was not heard for a while does not exist.

import type { BrokerLink } from '../broker/broker-link.js';
import { everyBeat } from '../naming/subjects.js';
import { type Beat, beatOf, FORGOTTEN_AFTER_MS } from './beat.js';

export interface KnownMachine extends Beat {
  /** Epoch milliseconds. */
  readonly heardAt: number;
}

export class Inventory {
  readonly #machines = new Map<string, KnownMachine>();

  constructor(link: BrokerLink, environment?: string) {
    link.subscribe(everyBeat(environment), (message) => {
      const beat = beatOf(message);
      if (beat !== undefined) {
        this.#machines.set(`${beat.environment}/${beat.executor}`, { ...beat, heardAt: Date.now() });
      }
    });
  }

  list(now: number = Date.now()): KnownMachine[] {
    for (const [key, { heardAt }] of this.#machines) {
      if (now - heardAt > FORGOTTEN_AFTER_MS) this.#machines.delete(key);
    }
    return [...this.#machines.values()].sort((left, right) => keyOf(left).localeCompare(keyOf(right)));
  }
}

export interface SlotCounts {
  readonly free: number;
  readonly busy: number;
  readonly draining: number;
}

/** Slots by environment, for an autoscaler. */
export function slotsOf(machines: readonly KnownMachine[]): Map<string, SlotCounts> {
  const counts = new Map<string, SlotCounts>();
  for (const { environment, state, sessions, maxSessions } of machines) {
    const before = counts.get(environment) ?? { free: 0, busy: 0, draining: 0 };
    const isDraining = state === 'draining';
    counts.set(environment, {
      free: before.free + (isDraining ? 0 : Math.max(0, maxSessions - sessions)),
      busy: before.busy + (isDraining ? 0 : sessions),
      draining: before.draining + (isDraining ? sessions : 0),
    });
  }
  return counts;
}

function keyOf({ environment, executor }: KnownMachine): string {
  return `${environment}/${executor}`;
}

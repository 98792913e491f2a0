// Which machines there are, from what they say about themselves. Whatever was not heard for a while does not exist.

import type { BrokerLink } from '../broker/broker-link.js';
import { everyBeat, everyWant, isName, placeOf } from '../naming/subjects.js';
import { type Beat, decodeBeat, FORGOTTEN_AFTER_MS } from './beat.js';

export interface KnownMachine extends Beat {
  /** Epoch milliseconds. */
  readonly heardAt: number;
}

/** A machine that may use any name could make up more than there is memory for. */
const MOST_MACHINES = 200_000;
const MOST_ENVIRONMENTS = 10_000;

export class Inventory {
  readonly #machines = new Map<string, KnownMachine>();
  readonly #wants = new Map<string, number>();

  constructor(link: BrokerLink, environment?: string) {
    link.subscribe(everyBeat(environment), ({ subject, data }) => this.#onBeat(subject, data));
    link.subscribe(everyWant(environment), ({ subject }) => this.#onWant(subject));
  }

  /** How often callers found no machine with room, by environment. */
  get wants(): ReadonlyMap<string, number> {
    return this.#wants;
  }

  /** Whose beat it is says the subject, which the broker has checked; a beat in another's name is none. */
  #onBeat(subject: string, data: Uint8Array): void {
    const beat = decodeBeat(data);
    const { environment, last } = placeOf(subject);
    if (beat === undefined || beat.environment !== environment || beat.executor !== last) return;
    const key = `${environment}/${last}`;
    if (
      isName(environment) &&
      isName(last) &&
      (this.#machines.has(key) || this.#machines.size < MOST_MACHINES)
    )
      this.#machines.set(key, { ...beat, heardAt: Date.now() });
  }

  #onWant(subject: string): void {
    const { environment } = placeOf(subject);
    const count = this.#wants.get(environment);
    if (count === undefined && (!isName(environment) || this.#wants.size >= MOST_ENVIRONMENTS)) return;
    this.#wants.set(environment, (count ?? 0) + 1);
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

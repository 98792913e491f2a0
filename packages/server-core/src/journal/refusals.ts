// Refused connections, for the journal. Every program that reaches the port can be refused as often as it likes, a web page
// in a browser included: beyond a few a second refusals are only counted, so that no stranger can push older events out of
// the journal, or fill the disk with the audit log.
import type { Clock, Timer } from '@codex/exec-protocol';
import type { Journal } from './journal.js';

export interface Refusal {
  readonly reason: string;
  readonly remoteAddress?: string | undefined;
}

/** So many at once, and one more each second, are told one by one. */
const BURST = 20;
const EACH_MS = 1000;
/** What was only counted is told at the latest after this. */
const TELL_MS = 10_000;

export class Refusals {
  readonly #journal: Journal;
  readonly #clock: Clock;
  #room = BURST;
  #roomAt: number;
  #last: Refusal | undefined;
  #counted = 0;
  #timer: Timer | undefined;

  constructor(journal: Journal, clock: Clock) {
    this.#journal = journal;
    this.#clock = clock;
    this.#roomAt = clock.now();
  }

  add(refusal: Refusal): void {
    const now = this.#clock.now();
    const earned = Math.floor((now - this.#roomAt) / EACH_MS);
    if (earned > 0) {
      this.#room = Math.min(BURST, this.#room + earned);
      this.#roomAt = now;
    }
    this.#last = refusal;
    this.#counted++;
    if (this.#room > 0 && this.#timer === undefined) {
      this.#room--;
      this.#tell();
      return;
    }
    this.#timer ??= this.#clock.schedule(TELL_MS, () => {
      this.#timer = undefined;
      this.#tell();
    });
  }

  #tell(): void {
    const { reason = '', remoteAddress } = this.#last ?? {};
    const times = this.#counted;
    this.#counted = 0;
    this.#journal.record({
      kind: 'connectionRefused',
      reason,
      ...(remoteAddress === undefined ? {} : { remoteAddress }),
      ...(times > 1 ? { times } : {}),
    });
  }
}

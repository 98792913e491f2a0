// When a machine that cannot be reached counts as lost. One answer proves nothing: after a restart of the broker every
// machine is missing for a moment, and a machine that just connected is unknown to the other servers of a cluster. So the first
// such answer starts a clock, and another kind of answer starts another.

import type { LossReason } from '../fleet-error.js';

export interface LossTimes {
  /** How long the subject must have no subscriber. */
  readonly graceMs: number;
  readonly silentMs: number;
  readonly unreachableMs: number;
}

export const DEFAULT_LOSS_TIMES: LossTimes = { graceMs: 5000, silentMs: 10_000, unreachableMs: 25_000 };

/** The broker's word counts only from a connection that is not quite new. */
const SETTLED_LINK_MS = 2000;

export class LossClock {
  readonly #times: LossTimes;
  #failingSince: number | undefined;
  /** Since when the broker was there, and the machine was not. */
  #unansweredSince: number | undefined;
  #heard: { readonly kind: 'nobody' | 'silent' | 'down'; readonly since: number } | undefined;

  constructor(times: LossTimes) {
    this.#times = times;
  }

  reset(): void {
    this.#heard = undefined;
    this.#unansweredSince = undefined;
    this.#failingSince = undefined;
  }

  /** What the last attempt, begun at `since`, met. Returns the reason when that is enough. */
  met(
    kind: 'nobody' | 'silent' | 'down',
    { since, now, linkUpMs }: { readonly since: number; readonly now: number; readonly linkUpMs: number },
  ): LossReason | undefined {
    this.#failingSince = Math.min(this.#failingSince ?? since, since);
    if (this.#heard?.kind !== kind) this.#heard = { kind, since };
    if (kind === 'down') this.#unansweredSince = undefined;
    else this.#unansweredSince = Math.min(this.#unansweredSince ?? since, since);
    // Answers that change all the time would start a clock again and again.
    const { graceMs, silentMs, unreachableMs } = this.#times;
    if (now - this.#failingSince >= unreachableMs + silentMs) return REASONS[kind];
    const elapsed = now - this.#heard.since;
    // A broker that finds out too, after a while, does not make a silent machine more alive.
    const unanswered = now - (this.#unansweredSince ?? now);
    const isGone = elapsed >= graceMs || unanswered >= Math.max(graceMs, silentMs);
    const isEnough = {
      nobody: isGone && linkUpMs >= SETTLED_LINK_MS,
      silent: elapsed >= silentMs,
      down: elapsed >= unreachableMs,
    };
    return isEnough[kind] ? REASONS[kind] : undefined;
  }
}

const REASONS = { nobody: 'machineGone', silent: 'machineSilent', down: 'brokerUnreachable' } as const;

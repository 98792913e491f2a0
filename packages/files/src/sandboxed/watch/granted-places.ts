// Which files the granted paths of a policy are, asked again and again while something is watched: a helper is bound to
// the files that it was started with, and a path that comes to be another file raises no event inside its sandbox.
// Denied paths are left out on purpose: a client must not learn from its watch that one of them has changed.

import { stat } from 'node:fs/promises';
import type { Clock, Timer } from '@codex/exec-protocol';
import type { ResolvedPolicy } from '@codex/sandbox';
import { identify } from '../pool/policy-fingerprint.js';

const LOOK_EVERY_MS = 1000;

async function grantedPlaces({ rules }: ResolvedPolicy): Promise<string> {
  const granted = rules.filter(({ access }) => access !== 'deny');
  const identities = granted.map(async ({ path }) => identify(path, await stat(path).catch(() => undefined)));
  return (await Promise.all(identities)).join('');
}

export interface PlaceWatchOptions {
  readonly policy: ResolvedPolicy;
  readonly clock: Clock;
}

export class PlaceWatch {
  /** The granted paths are other files than before. */
  onChange: () => void = () => undefined;
  readonly #options: PlaceWatchOptions;
  #known: string;
  #timer: Timer | undefined;
  #isEnded = false;

  private constructor(options: PlaceWatchOptions, known: string) {
    this.#options = options;
    this.#known = known;
    this.#schedule();
  }

  static async start(options: PlaceWatchOptions): Promise<PlaceWatch> {
    return new PlaceWatch(options, await grantedPlaces(options.policy));
  }

  /** Looks now, for a caller that suspects a change. */
  async look(): Promise<void> {
    const found = await grantedPlaces(this.#options.policy);
    if (this.#isEnded || found === this.#known) return;
    this.#known = found;
    this.onChange();
  }

  end(): void {
    this.#isEnded = true;
    this.#timer?.cancel();
  }

  #schedule(): void {
    if (this.#isEnded) return;
    this.#timer = this.#options.clock.schedule(LOOK_EVERY_MS, () => {
      void this.look().finally(() => this.#schedule());
    });
  }
}

// Whether a helper that has something to do gives signs of life: it is asked in every period and has to be heard.
import type { Clock, Timer } from '../clock.js';

export interface HelperHealthOptions {
  readonly clock: Clock;
  /** How long a helper with work may be silent. */
  readonly timeoutMs: number;
  readonly ping: () => void;
  readonly onSilence: () => void;
}

/** For a machine that is very busy: until the helper runs, its silence says nothing. */
const START_PATIENCE_MS = 60_000;

export class HelperHealth {
  readonly #options: HelperHealthOptions;
  #isReady = false;
  #heard = true;
  #timer: Timer | undefined;

  constructor(options: HelperHealthOptions) {
    this.#options = options;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  becomeReady(): void {
    this.#isReady = true;
    const isWatched = this.#timer !== undefined;
    this.stop();
    if (isWatched) this.watch();
  }

  heard(): void {
    this.#heard = true;
  }

  watch(): void {
    if (this.#timer !== undefined) return;
    this.#heard = true;
    this.#schedule();
  }

  stop(): void {
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #schedule(): void {
    const { clock, timeoutMs, ping, onSilence } = this.#options;
    const patience = this.#isReady ? timeoutMs : START_PATIENCE_MS;
    this.#timer = clock.schedule(patience / 2, () => {
      if (!this.#heard) return onSilence();
      this.#heard = false;
      ping();
      this.#schedule();
    });
  }
}

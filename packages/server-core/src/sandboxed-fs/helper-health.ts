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
  #hasWork = false;
  #timer: Timer | undefined;

  constructor(options: HelperHealthOptions) {
    this.#options = options;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  becomeReady(): void {
    this.#isReady = true;
    const hadWork = this.#hasWork;
    this.stop();
    if (hadWork) this.watch();
  }

  heard(): void {
    this.#heard = true;
  }

  /** There is something to do. */
  watch(): void {
    if (this.#hasWork) return;
    this.#hasWork = true;
    this.#heard = true;
    if (this.#timer === undefined) this.#schedule();
  }

  /** Nothing is left to do. The timer stays for the next call, which follows at once as a rule, and runs out otherwise. */
  rest(): void {
    this.#hasWork = false;
  }

  stop(): void {
    this.rest();
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #schedule(): void {
    const { clock, timeoutMs, ping, onSilence } = this.#options;
    const patience = this.#isReady ? timeoutMs : START_PATIENCE_MS;
    this.#timer = clock.schedule(patience / 2, () => {
      this.#timer = undefined;
      if (!this.#hasWork) return;
      if (!this.#heard) return onSilence();
      this.#heard = false;
      ping();
      this.#schedule();
    });
  }
}

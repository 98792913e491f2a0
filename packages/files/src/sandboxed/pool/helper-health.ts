// A watchdog for a helper that has something to do: it is pinged twice per timeout and has to answer.
import type { Clock, Timer } from '@codex/exec-protocol';

export interface HelperHealthOptions {
  readonly clock: Clock;
  /** How long a helper with work may be silent at least; it is given up at most half as long again later. */
  readonly timeoutMs: number;
  readonly ping: () => void;
  readonly onSilence: () => void;
}

/** The first period may be nearly over when work begins, or when the helper is heard: only those after it are whole. */
const UNHEARD_PERIODS = 2;
/** For a machine that is very busy: until the helper runs, its silence says nothing. */
const START_PATIENCE_MS = 60_000;

export class HelperHealth {
  readonly #options: HelperHealthOptions;
  #isReady = false;
  /** How many times it was asked since it was heard. */
  #unheard = 0;
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
    this.#unheard = 0;
  }

  /** There is something to do. */
  watch(): void {
    if (this.#hasWork) return;
    this.#hasWork = true;
    this.#unheard = 0;
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
    this.#timer = clock.schedule(patience / UNHEARD_PERIODS, () => {
      this.#timer = undefined;
      if (!this.#hasWork) return;
      if (this.#unheard === UNHEARD_PERIODS) return onSilence();
      this.#unheard += 1;
      ping();
      this.#schedule();
    });
  }
}

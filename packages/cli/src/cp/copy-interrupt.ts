// Aborts a copy on a signal: it cleans up, and then the program ends as the signal says.

import { constants } from 'node:os';
import { ExitCode } from '../exit-code.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

export class CopyInterrupt implements Disposable {
  readonly #abort = new AbortController();
  readonly #handle = (signal: NodeJS.Signals): void => {
    this.#by ??= signal;
    this.#abort.abort();
  };
  #by: NodeJS.Signals | undefined;

  constructor() {
    for (const signal of SIGNALS) process.on(signal, this.#handle);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The exit code to throw. Without a terminal the signal itself ends the program: Node aborts in restoring one. */
  end(): ExitCode {
    this[Symbol.dispose]();
    const by = this.#by ?? 'SIGINT';
    if (by === 'SIGHUP') process.kill(process.pid, by);
    return new ExitCode(128 + constants.signals[by]);
  }

  [Symbol.dispose](): void {
    for (const signal of SIGNALS) process.off(signal, this.#handle);
  }
}

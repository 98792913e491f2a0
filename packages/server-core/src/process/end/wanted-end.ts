// Remembers the end that clients have asked for. Before the command runs, such a request aborts what the start waits
// for.
import { soonerEnd, type TerminateMode, type Termination } from './termination.js';

export interface WantedEndOptions {
  /** The error of a start that was cancelled. */
  readonly cancelled: () => Error;
  /** A command that is killed reads no more input. */
  readonly onForce: () => void;
}

export class WantedEnd {
  readonly #options: WantedEndOptions;
  readonly #unwanted = new AbortController();
  #termination: Termination | undefined;
  #mode: TerminateMode | undefined;

  constructor(options: WantedEndOptions) {
    this.#options = options;
  }

  /** Aborted when a start that is under way is to end: what it waits for may be left. */
  get unwanted(): AbortSignal {
    return this.#unwanted.signal;
  }

  /** Of several wishes the one that ends it sooner counts. */
  want(mode: TerminateMode): void {
    if (this.#termination !== undefined) {
      this.#begin(this.#termination, mode);
      return;
    }
    this.#mode = soonerEnd(this.#mode, mode);
    this.cancelStart();
  }

  cancelStart(): void {
    this.#unwanted.abort(this.#options.cancelled());
  }

  /** There is a command now. It is ended at once when that was asked for before. */
  reachable(termination: Termination): void {
    this.#termination = termination;
    if (this.#mode !== undefined) this.#begin(termination, this.#mode);
  }

  /** Nothing is left to end. Lets go of the command, which owns buffers and streams. */
  ended(): void {
    this.#termination?.cancel();
    this.#termination = undefined;
  }

  #begin(termination: Termination, mode: TerminateMode): void {
    if (mode.type === 'force') this.#options.onForce();
    termination.begin(mode);
  }
}

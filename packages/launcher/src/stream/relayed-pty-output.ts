// The output of a terminal that its supervisor reads and passes on through a pipe (native/command/relay.c). The pipe
// ends when no process has the terminal open and all of it was passed on, or when the supervisor was killed.
import type { OutputOptions, ProcessOutput } from '../launched-process.js';
import type { PipeOutput } from './pipe-output.js';

export class RelayedPtyOutput implements ProcessOutput {
  readonly stream = 'pty';
  /** Nothing more is read: it has ended, or was discarded. */
  readonly closed: Promise<void>;
  readonly #pipe: PipeOutput;
  #resolveClosed: () => void = () => {};
  #isStarted = false;
  #isPaused = false;
  #isDiscarded = false;
  #onPause: (() => void) | undefined;

  constructor(pipe: PipeOutput) {
    this.#pipe = pipe;
    this.closed = new Promise((resolve) => {
      this.#resolveClosed = resolve;
    });
  }

  start(onData: (block: Buffer) => void, onEnd: () => void, options?: OutputOptions): void {
    this.#isStarted = true;
    const finish = (): void => {
      this.#resolveClosed();
      onEnd();
    };
    this.#pipe.start(onData, finish, options);
  }

  pause(): void {
    this.#isPaused = true;
    this.#pipe.pause();
    this.#onPause?.();
  }

  resume(): void {
    this.#isPaused = false;
    this.#pipe.resume();
  }

  discard(): void {
    this.#isDiscarded = true;
    this.#pipe.discard();
    if (!this.#isStarted) this.#resolveClosed();
    this.#onPause?.();
  }

  /** Calls back when nothing is being read: now, or as soon as that is so. One that is not started is about to be. */
  whenPaused(callback: () => void): void {
    if (this.#isPaused || this.#isDiscarded) callback();
    else this.#onPause = callback;
  }
}

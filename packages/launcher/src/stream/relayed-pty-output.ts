/**
 * The output of a terminal that its supervisor reads and passes on through a pipe (native/command/relay.c). The pipe
 * ends when no process has the terminal open and all of it was passed on, or when the supervisor was killed: then the
 * rest is read here.
 */
import { readSync } from 'node:fs';
import type { OutputOptions, ProcessOutput } from '../launched-process.js';
import type { PipeOutput } from './pipe-output.js';
import type { PtyDescriptor } from './pty-descriptor.js';

/** More than a terminal holds. Processes that go on writing to a terminal without a supervisor are not waited for. */
const MAX_REST_BYTES = 64 * 1024;
const READ_BYTES = 4096;

export class RelayedPtyOutput implements ProcessOutput {
  readonly stream = 'pty';
  readonly #pipe: PipeOutput;
  readonly #master: PtyDescriptor;
  #isStarted = false;
  #isPaused = false;
  #isDiscarded = false;
  #onPause: (() => void) | undefined;

  constructor(pipe: PipeOutput, master: PtyDescriptor) {
    this.#pipe = pipe;
    this.#master = master;
  }

  start(onData: (block: Buffer) => void, onEnd: () => void, options?: OutputOptions): void {
    this.#isStarted = true;
    const finish = (): void => {
      if (!this.#isDiscarded) this.#readRest(onData);
      this.#master.close();
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
    if (!this.#isStarted) this.#master.close();
    this.#onPause?.();
  }

  /** Calls back when nothing is being read: now, or as soon as that is so. One that is not started is about to be. */
  whenPaused(callback: () => void): void {
    if (this.#isPaused || this.#isDiscarded) callback();
    else this.#onPause = callback;
  }

  #readRest(onData: (block: Buffer) => void): void {
    for (let total = 0; total < MAX_REST_BYTES; ) {
      const block = Buffer.allocUnsafe(READ_BYTES);
      const length = this.#read(block);
      if (length === 0) return;
      total += length;
      onData(block.subarray(0, length));
    }
  }

  /** 0 when nothing is there: EIO (never again) or EAGAIN. */
  #read(into: Buffer): number {
    try {
      return readSync(this.#master.fd, into);
    } catch {
      return 0;
    }
  }
}

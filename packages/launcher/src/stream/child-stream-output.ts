// Output through a stream that child_process made. When a child exits Node sets its streams flowing, asked or not: what
// comes while paused is kept here and the stream is paused again.
import type { Readable } from 'node:stream';
import type { ProcessOutput } from '../launched-process.js';

export class ChildStreamOutput implements ProcessOutput {
  readonly stream: 'stdout' | 'stderr';
  readonly #readable: Readable;
  readonly #held: Buffer[] = [];
  #isFlowing = false;
  #isStarted = false;
  #hasEnded = false;
  #onData: (block: Buffer) => void = () => {};
  #onEnd: () => void = () => {};

  constructor(stream: 'stdout' | 'stderr', readable: Readable) {
    this.stream = stream;
    this.#readable = readable;
    readable.pause();
    readable.on('data', (block: Buffer) => {
      if (this.#isFlowing) {
        this.#onData(block);
        return;
      }
      this.#held.push(block);
      readable.pause();
    });
    readable.on('error', () => {}); // 'close' follows
    readable.on('close', () => {
      this.#hasEnded = true;
      this.#finish();
    });
  }

  start(onData: (block: Buffer) => void, onEnd: () => void): void {
    this.#onData = onData;
    this.#onEnd = onEnd;
    this.#isStarted = true;
    this.resume();
  }

  pause(): void {
    this.#isFlowing = false;
    this.#readable.pause();
  }

  resume(): void {
    if (!this.#isStarted) return;
    this.#isFlowing = true;
    if (!this.#deliverHeld()) return;
    this.#readable.resume();
    this.#finish();
  }

  discard(): void {
    this.#held.length = 0;
    this.#readable.destroy();
    this.#finish();
  }

  /** The receiver may pause at any block; false when it did. */
  #deliverHeld(): boolean {
    for (
      let block = this.#held.shift();
      block !== undefined;
      block = this.#isFlowing ? this.#held.shift() : undefined
    ) {
      this.#onData(block);
    }
    return this.#isFlowing;
  }

  #finish(): void {
    if (!this.#hasEnded || !this.#isStarted || this.#held.length > 0) return;
    this.#hasEnded = false;
    this.#onEnd();
  }
}

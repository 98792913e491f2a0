// Queues the input of a child, in order and bounded. A write is acknowledged when there is room for it: back-pressure,
// so that a child that does not read slows its writer down instead of failing it.
import { invalidRequest } from '@codex/exec-protocol';
import type { ProcessInput } from '@codex/launcher';
import type { ByteBudget } from './byte-budget.js';

export type InputOutcome = 'accepted' | 'stdinClosed';

interface PendingWrite {
  readonly bytes: Uint8Array;
  readonly settle: (outcome: InputOutcome) => void;
  readonly onTaken: (() => void) | undefined;
}

export interface InputQueueOptions {
  /** Bytes acknowledged before the child took them. */
  readonly capacityBytes: number;
  /** Bounds what waits for room. */
  readonly waiting: ByteBudget;
}

export class InputQueue {
  readonly #options: InputQueueOptions;
  #input: ProcessInput | undefined;
  /** On their way to the child; acknowledged unless `#answersWhenTaken`. */
  #admitted: PendingWrite[] = [];
  #admittedBytes = 0;
  /** Waiting for room, unanswered. */
  #waiting: PendingWrite[] = [];
  #isPumping = false;
  #answersWhenTaken = false;
  #isEndRequested = false;
  #isClosed = false;

  constructor(options: InputQueueOptions) {
    this.#options = options;
  }

  /** Nothing more can be written: the end was asked for, or the reader is gone. */
  get isClosed(): boolean {
    return this.#isClosed || this.#isEndRequested;
  }

  /** The child is there; without an input everything that waits is answered with `stdinClosed`. */
  connect(input: ProcessInput | undefined): void {
    this.#input = input;
    if (input === undefined) this.close();
    else this.#advance();
  }

  /** `onTaken`: the child has the bytes. Not called where it does not come to that. */
  write(bytes: Uint8Array, onTaken?: () => void): Promise<InputOutcome> {
    if (this.isClosed) return Promise.resolve('stdinClosed');
    const { waiting } = this.#options;
    if (!waiting.take(bytes.length)) {
      throw invalidRequest(
        `more than ${waiting.limit} bytes of input wait for processes that do not read them`,
      );
    }
    return new Promise((resolve) => {
      let isAnswered = false;
      const settle = (outcome: InputOutcome): void => {
        if (isAnswered) return;
        isAnswered = true;
        waiting.give(bytes.length);
        resolve(outcome);
      };
      this.#waiting.push({ bytes, settle, onTaken });
      this.#advance();
    });
  }

  /**
   * The command has ended: whether a background child reads on is only known by trying, so from now on a write is
   * answered by what became of it.
   */
  answerWhenTaken(): void {
    this.#answersWhenTaken = true;
  }

  /** Ends the input behind everything that was written before. */
  end(): void {
    if (this.isClosed) return;
    this.#isEndRequested = true;
    this.#advance();
  }

  /** The reader is gone: what it has not taken is dropped. */
  close(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#input = undefined;
    this.#admittedBytes = 0;
    const unanswered = [...this.#admitted, ...this.#waiting];
    this.#admitted = [];
    this.#waiting = [];
    for (const write of unanswered) write.settle('stdinClosed');
  }

  #advance(): void {
    if (this.#input === undefined || this.#isClosed) return;
    this.#admit();
    if (!this.#isPumping) void this.#pump(this.#input);
  }

  #admit(): void {
    for (let write = this.#waiting[0]; write !== undefined; write = this.#waiting[0]) {
      const hasRoom = this.#admittedBytes + write.bytes.length <= this.#options.capacityBytes;
      // A write larger than the queue goes alone.
      if (!hasRoom && this.#admittedBytes > 0) return;
      this.#waiting.shift();
      this.#admitted.push(write);
      this.#admittedBytes += write.bytes.length;
      if (!this.#answersWhenTaken) write.settle('accepted');
    }
  }

  async #pump(input: ProcessInput): Promise<void> {
    this.#isPumping = true;
    let write: PendingWrite | undefined;
    try {
      for (write = this.#admitted.shift(); write !== undefined; write = this.#admitted.shift()) {
        const { bytes, settle, onTaken } = write;
        if (bytes.length > 0) await input.write(bytes);
        settle('accepted');
        onTaken?.();
        this.#admittedBytes = Math.max(0, this.#admittedBytes - bytes.length);
        this.#admit();
      }
      if (this.#isEndRequested && !this.#isClosed) {
        input.end();
        this.close();
      }
    } catch {
      // The reader closed its end. That it does not read on is its business, not an error of the writer.
      write?.settle('stdinClosed');
      this.close();
    } finally {
      this.#isPumping = false;
    }
  }
}

// Reads what a child writes: every block of every stream, as it comes, unless the child is stalled.
import type { ProcessOutput } from '@codex/launcher';
import type { OutputStream } from './log/output-log.js';

export interface OutputIntakeOptions {
  /** The bytes are good until this returns. */
  readonly onBlock: (stream: OutputStream, block: Uint8Array) => void;
}

export class OutputIntake {
  readonly #onBlock: OutputIntakeOptions['onBlock'];
  #outputs: readonly ProcessOutput[] = [];
  #isStalled = false;

  constructor({ onBlock }: OutputIntakeOptions) {
    this.#onBlock = onBlock;
  }

  get isStalled(): boolean {
    return this.#isStalled;
  }

  /** Begins to read; `onEnd` follows the last block of the last stream. */
  readFrom(outputs: readonly ProcessOutput[], onEnd: () => void): void {
    this.#outputs = outputs;
    let open = outputs.length;
    if (open === 0) onEnd();
    for (const output of outputs) {
      output.start(
        (block) => this.#onBlock(output.stream, block),
        () => {
          if (--open > 0) return;
          this.#outputs = [];
          onEnd();
        },
        { transient: true },
      );
    }
    if (this.#isStalled) for (const output of outputs) output.pause();
  }

  setStalled(stalled: boolean): void {
    if (stalled === this.#isStalled) return;
    this.#isStalled = stalled;
    for (const output of this.#outputs) {
      if (stalled) output.pause();
      else output.resume();
    }
  }

  /**
   * The tree is gone and its output is not wanted: a process outside that still holds the other end is not waited for.
   */
  stopReading(): void {
    for (const output of [...this.#outputs]) output.discard();
  }
}

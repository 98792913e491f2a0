// Reads both streams of a shell into what is kept of them.
import type { LaunchedProcess } from '@codex/launcher';
import { CapturedOutput, type CapturedText } from './captured-output.js';

/** Turns in which nothing new may come before everything that the shell wrote counts as read. */
const MOST_TURNS = 50;

export class CallOutput {
  readonly #both: CapturedOutput;
  readonly #stdout: CapturedOutput;
  readonly #stderr: CapturedOutput;
  readonly #onOutput: ((bytes: Uint8Array) => void) | undefined;
  #isKept = true;
  /** Settles when no process holds the other end of either stream. */
  ended: Promise<void> = Promise.resolve();

  constructor(maxBytes: number, onOutput: ((bytes: Uint8Array) => void) | undefined) {
    this.#both = new CapturedOutput(maxBytes);
    this.#stdout = new CapturedOutput(maxBytes);
    this.#stderr = new CapturedOutput(maxBytes);
    this.#onOutput = onOutput;
  }

  readFrom({ outputs }: LaunchedProcess): void {
    const ends = outputs.map(
      (output) =>
        new Promise<void>((resolve) => {
          const own = output.stream === 'stderr' ? this.#stderr : this.#stdout;
          output.start((block) => this.#take(block, own), resolve, { transient: true });
        }),
    );
    this.ended = Promise.all(ends).then(() => undefined);
  }

  /**
   * What the shell itself wrote is in its pipes when it ends, and the next turns read it. What children in the background
   * write later is not waited for.
   */
  async lastOutputRead(): Promise<void> {
    for (let turn = 0, seen = -1; turn < MOST_TURNS && seen !== this.#both.totalBytes; turn += 1) {
      seen = this.#both.totalBytes;
      const isOver = await Promise.race([this.ended.then(() => true), twoTurns()]);
      if (isOver) return;
    }
  }

  /** A line for people, below what the shell has written. */
  say(text: string): void {
    this.#take(Buffer.from(`${text}\n`), this.#stderr);
  }

  /** From now on nothing is kept; reading goes on, so that no writer blocks. */
  seal(): { both: CapturedText; stdout: CapturedText; stderr: CapturedText } {
    this.#isKept = false;
    return { both: this.#both.read(), stdout: this.#stdout.read(), stderr: this.#stderr.read() };
  }

  #take(block: Uint8Array, own: CapturedOutput): void {
    if (!this.#isKept) return;
    this.#both.add(block);
    own.add(block);
    this.#onOutput?.(block);
  }
}

/** The first immediate ends the turn that is under way, the second the turn after its poll. */
function twoTurns(): Promise<false> {
  return new Promise((resolve) => setImmediate(() => setImmediate(() => resolve(false))));
}

// One shell that is captured for all the commands that wait for it, and is ended when none of them is wanted any more.
import type { LaunchSpec } from '@codex/launcher';
import { type Capture, type CaptureServices, captureShell } from './capture-shell.js';

export class SharedCapture {
  /** Never rejects. */
  readonly done: Promise<Capture>;
  readonly #onDeserted: () => void;
  readonly #abort = new AbortController();
  #isDone = false;
  #waiting = 0;

  /** `onDeserted` is called when the last command that waited is not wanted any more. */
  constructor(spec: LaunchSpec, services: Omit<CaptureServices, 'signal'>, onDeserted: () => void) {
    this.#onDeserted = onDeserted;
    this.done = captureShell(spec, { ...services, signal: this.#abort.signal }).finally(() => {
      this.#isDone = true;
    });
  }

  get isDone(): boolean {
    return this.#isDone;
  }

  /** Rejects with the reason of the signal when that is aborted before the shell has been captured. */
  async join(signal: AbortSignal): Promise<Capture> {
    if (this.isDone) return this.done;
    this.#waiting++;
    let leave: () => void = () => undefined;
    const left = new Promise<void>((resolve) => {
      leave = () => resolve();
    });
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
    try {
      const capture = await Promise.race([this.done, left]);
      if (capture === undefined) throw signal.reason;
      return capture;
    } finally {
      signal.removeEventListener('abort', leave);
      this.#waiting--;
      if (this.#waiting === 0 && !this.#isDone) this.#onDeserted();
    }
  }

  /** Ends the shell, and whatever its profile has left running. */
  async end(): Promise<void> {
    this.#abort.abort();
    const { end } = await this.done;
    await end();
  }
}

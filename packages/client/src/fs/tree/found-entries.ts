// The entries of a local tree between the walk that finds them and the upload that sends them, so that both go on at once.

import { ExecServerError } from '../../exec-server-error.js';
import type { LocalEntry } from '../../platform.js';

export class FoundEntries {
  #waiting: LocalEntry[] = [];
  #end: { readonly error?: unknown } | undefined;
  #isWanted = true;
  #wake: (() => void) | undefined;

  /** Throws once nobody takes them any more, which ends the walk. */
  readonly add = (entry: LocalEntry): void => {
    if (!this.#isWanted)
      throw new ExecServerError('fs.io', 'the upload has ended before its walk', {
        details: { path: entry.path },
      });
    this.#waiting.push(entry);
    this.#wake?.();
  };

  /** There are no more: all were found, or the walk failed. */
  end(failure: { readonly error?: unknown } = {}): void {
    this.#end = failure;
    this.#wake?.();
  }

  leave(): void {
    this.#isWanted = false;
  }

  /** The first of all, while it was not taken; undefined where there is none. */
  async first(): Promise<LocalEntry | undefined> {
    await this.#some();
    return this.#waiting[0];
  }

  /** What was found since the last time; undefined at the end. */
  async take(): Promise<readonly LocalEntry[] | undefined> {
    await this.#some();
    const found = this.#waiting;
    this.#waiting = [];
    return found.length === 0 ? undefined : found;
  }

  async #some(): Promise<void> {
    while (this.#waiting.length === 0 && this.#end === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
    if (this.#waiting.length === 0 && this.#end !== undefined && 'error' in this.#end) throw this.#end.error;
  }
}

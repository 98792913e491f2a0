// Our end of a pseudo-terminal: one descriptor that is written by PtyInput, read by PtyOutput where no supervisor does
// it, and closed once.
import { closeSync } from 'node:fs';

export class PtyDescriptor {
  readonly fd: number;
  #isOpen = true;
  readonly #onClosed: (() => void)[] = [];

  constructor(fd: number) {
    this.fd = fd;
  }

  /** False as soon as the descriptor number may be in use for another file. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  onClosed(callback: () => void): void {
    this.#onClosed.push(callback);
  }

  /** The descriptor was or is about to be closed by the stream that owns it. */
  markClosed(): void {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    for (const callback of this.#onClosed) callback();
  }

  close(): void {
    if (!this.#isOpen) return;
    this.markClosed();
    closeSync(this.fd);
  }
}

// The memory of this program for bytes that remote ends were allowed to send. Every channel has a small window whatever
// the budget says; a channel that drains well borrows more, as long as there is some.

const KIB = 1024;
export const LEAST_WINDOW_BYTES: number = 256 * KIB;
export const MOST_WINDOW_BYTES: number = 4 * KIB * KIB;

export class WindowBudget {
  #freeBytes: number;

  constructor(bytes: number) {
    this.#freeBytes = bytes;
  }

  get freeBytes(): number {
    return this.#freeBytes;
  }

  /** True when the bytes are the caller's now. */
  borrow(bytes: number): boolean {
    if (bytes > this.#freeBytes) return false;
    this.#freeBytes -= bytes;
    return true;
  }

  release(bytes: number): void {
    this.#freeBytes += bytes;
  }
}

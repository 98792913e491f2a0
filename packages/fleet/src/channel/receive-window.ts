// What the remote end may send: so much beyond what was passed on here. The window doubles while it is emptied quickly and
// falls back when the channel is at rest.

import { LEAST_WINDOW_BYTES, MOST_WINDOW_BYTES, type WindowBudget } from './window-budget.js';

/** A sender may be bound by what is read rather than by the window, and must not wait for it. */
export const MOST_UNTOLD_BYTES: number = 256 * 1024;
/** A window of which a part is passed on within this time limits the remote end. */
const QUICK_MS = 200;

export class ReceiveWindow {
  readonly #budget: WindowBudget;
  #windowBytes = LEAST_WINDOW_BYTES;
  #passedBytes = 0;
  #grantedBytes = LEAST_WINDOW_BYTES;
  #grantedAt = Number.NEGATIVE_INFINITY;

  constructor(budget: WindowBudget) {
    this.#budget = budget;
  }

  /** Up to which byte the remote end may send. */
  get grantedBytes(): number {
    return this.#grantedBytes;
  }

  get passedBytes(): number {
    return this.#passedBytes;
  }

  /** Bytes were passed on. True when the remote end should be told of a new grant. */
  passed(bytes: number, now: number): boolean {
    this.#passedBytes += bytes;
    const gained = this.#passedBytes + this.#windowBytes - this.#grantedBytes;
    if (gained < Math.min(this.#windowBytes / 2, MOST_UNTOLD_BYTES)) return false;
    if (now - this.#grantedAt < QUICK_MS) this.#widen();
    this.#grantedAt = now;
    this.#grantedBytes = Math.max(this.#grantedBytes, this.#passedBytes + this.#windowBytes);
    return true;
  }

  /** Nothing has come for a while: what was borrowed goes back. What was granted stays granted. */
  rest(): void {
    this.#budget.release(this.#windowBytes - LEAST_WINDOW_BYTES);
    this.#windowBytes = LEAST_WINDOW_BYTES;
  }

  #widen(): void {
    const more = Math.min(this.#windowBytes, MOST_WINDOW_BYTES - this.#windowBytes);
    if (more > 0 && this.#budget.borrow(more)) this.#windowBytes += more;
  }
}
